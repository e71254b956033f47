//! The columns that a run writes of every instance at its end.

use crate::backend::Plan;
use crate::base::Precision;
use crate::describe::{Body, ObservedChannel, Study};
use crate::ensemble::Sampler;
use crate::model::{AT_REST, WIDTH};
use crate::observe::channels::{self, ChannelColumn, Registered, columns};
use crate::output::{Column, ColumnLabel};

/// The columns of `instances.parquet` after the verdicts: what was drawn, and the end.
pub(super) fn instance_columns(study: &Study, sampler: &Sampler, finals: &[ObservedChannel]) -> Vec<Column> {
    let drawn = sampler.columns().into_iter().map(|c| Column {
        name: format!("drawn.{}", c.name),
        unit: c.unit.to_string(),
        description: "drawn for this instance".to_string(),
        precision: Precision::F64,
    });
    let finals = columns(&study.mechanism, finals).into_iter().map(|c| Column {
        name: format!("final.{}", c.name),
        unit: c.unit.to_string(),
        description: format!("{}; at the end, or in the last sound state", c.description),
        precision: study.run.precision.written(),
    });
    drawn.chain(finals).collect()
}

/// The channels of a run that are written for every instance at its end: those observed, the state,
/// the drifts.
pub fn final_channels(study: &Study, plan: &Plan) -> Vec<ObservedChannel> {
    let mut channels = study.observe.channels.clone();
    let mut also = vec![channels::ANGULAR_VELOCITY, channels::ATTITUDE];
    let translates = plan.moving.chunks_exact(WIDTH).take(plan.model.bodies()).any(|body| body[AT_REST]);
    if translates {
        also.extend([channels::POSITION, channels::VELOCITY]);
    }
    let modes = study.mechanism.bodies.iter().map(Body::modes).max().unwrap_or_default();
    let of_modes = |mode| [channels::AMPLITUDE.of_mode(mode), channels::AMPLITUDE_RATE.of_mode(mode)];
    also.extend((0..modes as u8).flat_map(of_modes));
    also.extend([channels::ENERGY_DRIFT, channels::ANGULAR_MOMENTUM_DRIFT]);
    if plan.model.rows() > 0 {
        also.push(channels::CONSTRAINT_VIOLATION);
    }
    if !study.mechanism.locks.is_empty() {
        also.push(channels::CAUGHT);
    }
    if study.mechanism.locks.iter().any(|lock| lock.release.is_finite()) {
        also.push(channels::RELEASED);
    }
    if plan.method.own_steps().is_some() {
        also.extend([channels::OWN_STEPS, channels::REJECTED_STEPS]);
    }
    if plan.method.iterates() {
        also.push(channels::ITERATIONS);
    }
    for channel in also {
        // A channel that is observed of one body is written for all of them.
        channels.retain(|observed: &ObservedChannel| observed.channel != channel || observed.of.is_none());
        if !channels.contains(&channel.into()) {
            channels.push(channel.into());
        }
    }
    channels
}

pub(super) fn report_column(column: &ChannelColumn) -> ColumnLabel {
    let (channel, component) = match column.name.rsplit_once('.') {
        Some((channel, component)) if column.channel.is_vector() => (channel, component),
        _ => (column.name.as_str(), ""),
    };
    ColumnLabel {
        channel: channel.to_string(),
        component: component.to_string(),
        unit: column.unit.to_string(),
        description: column.description.to_string(),
    }
}
