//! Reads what is recorded of every instance, and when: the table `[observe]`.

use std::collections::BTreeSet;

use super::document::{Node, Table};
use super::read_method::{
    SNAPSHOTS, chooses_step, every, has_own_steps, note_beyond_the_end, whole_longest_steps,
};
use polhode_description::base::Card;
use polhode_description::base::units::Dimension;
use polhode_description::describe::kind::KindCard;
use polhode_description::describe::study::{Observe, TimeIntegration};
use polhode_description::describe::{Channel, Mechanism, ObservedChannel, Owner};
use polhode_dynamics::methods::{cards, iterates, own_steps};
use polhode_engine::observe::channels;

/// Trajectories kept by a run that does not say how many.
const KEEP: u64 = 16;

/// The channels that are observed by default besides those of turning: positions of point masses
/// and displacements in joints.
pub(super) fn of_sliding(mechanism: &Mechanism) -> impl Iterator<Item = ObservedChannel> + '_ {
    let points = (0..mechanism.bodies.len()).filter(|b| mechanism.bodies[*b].is_point);
    let points = points.map(|b| ObservedChannel { channel: channels::POSITION, of: Some(b) });
    let displacement = Channel::of(Owner::Joint, "displacement");
    let slides = !channels::owners(mechanism, displacement).is_empty();
    points.chain(slides.then_some(ObservedChannel { channel: displacement, of: None }))
}

/// The channels observed of an equilibrium by default: angles, displacements and loads of joints,
/// lengths and forces of springs, positions.
pub(super) fn at_rest(mechanism: &Mechanism, kind: Option<&KindCard>) -> Vec<ObservedChannel> {
    if !kind.is_some_and(|card| card.at_rest) {
        return Vec::new();
    }
    let channels = [
        channels::ANGLE,
        Channel::of(Owner::Joint, "displacement"),
        Channel::of(Owner::Joint, "force"),
        Channel::of(Owner::Joint, "torque"),
        Channel::of(Owner::Spring, "length"),
        Channel::of(Owner::Spring, "force"),
        channels::POSITION,
    ];
    let there = channels.into_iter().filter(|channel| !channels::owners(mechanism, *channel).is_empty());
    there.map(|channel| ObservedChannel { channel, of: None }).collect()
}

pub(super) fn observe(
    table: &Table<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Observe> {
    let channels = table.get("channels").and_then(|node| channels(&node, mechanism, method));
    let channels = channels.map(|channels| with_outcomes(channels, mechanism));
    let every = match table.get("every") {
        Some(node) if node.is_integer() && method.is_some_and(chooses_step) => {
            node.report("polhode chooses the step here, and its length is open", |problem| {
                problem.advise("give a time, e.g. \"0.1 s\"")
            });
            None
        }
        Some(node) if node.is_text() && method.is_some_and(chooses_step) => node
            .positive(Dimension::Time)
            .zip(method)
            .and_then(|(time, method)| whole_longest_steps(&node, time, method)),
        Some(node) => every(&node, method),
        None => method.map(|method| ((method.steps as f64 / SNAPSHOTS).round() as u64).max(1)),
    };
    if let Some(node) = table.get("every") {
        note_beyond_the_end(&node, every, method);
    }
    let keep = table.read("keep").map(|keep: Option<u64>| keep.unwrap_or(KEEP));
    let quantiles: Option<Vec<f64>> = table.read("quantiles");
    let ascend = |p: &Vec<f64>| p.iter().all(|p| *p > 0.0 && *p < 1.0) && p.is_sorted_by(|a, b| a < b);
    if let (true, Some(node)) = (quantiles.as_ref().is_some_and(|p| !ascend(p)), table.get("quantiles")) {
        node.refuse("an ascending list of probabilities between 0 and 1", "give e.g. [0.05, 0.5, 0.95]");
    }
    Some(Observe { channels: channels?, every: every?, keep: keep?, quantiles: quantiles? })
}

/// These channels and those of all outcomes.
fn with_outcomes(mut channels: Vec<ObservedChannel>, mechanism: Option<&Mechanism>) -> Vec<ObservedChannel> {
    for channel in [channels::OUTCOME_VALUE, channels::OUTCOME_TIME] {
        let owners = mechanism.map(|mechanism| channels::owners(mechanism, channel)).unwrap_or_default();
        let lacking = owners.into_iter().map(|of| ObservedChannel { channel, of: Some(of) });
        let lacking: Vec<ObservedChannel> = lacking.filter(|one| !channels.contains(one)).collect();
        channels.extend(lacking);
    }
    channels
}

/// Channel names, bare or after the name of a body, joint, ... and a dot. A bare name stands for
/// every channel of this name that the mechanism has.
fn channels(
    node: &Node<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Vec<ObservedChannel>> {
    let mut channels: Vec<ObservedChannel> = Vec::new();
    let mut texts: BTreeSet<String> = BTreeSet::new();
    let mut sound = true;
    for entry in node.list()? {
        let Some(seen) = channels_of(&entry, mechanism, method) else {
            sound = false;
            continue;
        };
        // Where the mechanism is faulty, nobody knows whose channels they are: only the texts can
        // be compared.
        let is_new = entry.text().is_some_and(|text| texts.insert(text.to_string()));
        // A channel without an owner is that of all owners.
        let is_in = |a: &ObservedChannel, b: &ObservedChannel| {
            a.channel == b.channel && (a.of == b.of || a.of.is_none() || b.of.is_none())
        };
        let again = match mechanism {
            Some(_) => seen.iter().find(|channel| channels.iter().any(|known| is_in(known, channel))),
            None => seen.first().filter(|_| !is_new),
        };
        if let Some(again) = again {
            let is_whole = channels.contains(again) || mechanism.is_none();
            entry.report(format!("{} is listed twice", entry.source()), |problem| match is_whole {
                true => problem,
                false => problem.advise("a channel without a name is that of all that have it"),
            });
            sound = false;
        }
        channels.extend(seen);
    }
    sound.then_some(channels)
}

/// Whether it is the name of a channel of the mechanism as a whole, such as `energy`: nothing else
/// can be observed by it.
pub(super) fn is_of_the_whole(name: &str) -> bool {
    channels::named(name).iter().any(|channel| channel.owner() == Owner::Mechanism)
}

/// The channels that one name stands for.
fn channels_of(
    entry: &Node<'_>,
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<Vec<ObservedChannel>> {
    let text = entry.text()?;
    let owned = |name: &str| {
        let mechanism = mechanism?;
        Owner::ALL.into_iter().find_map(|owner| {
            owner.names(mechanism).iter().position(|known| *known == name).map(|k| (owner, k))
        })
    };
    // Names of nodes have dots, channels have none.
    let (named_owner, bare) = match text.rsplit_once('.') {
        _ if owned(text)
            .is_some_and(|(owner, _)| matches!(owner, Owner::State | Owner::Signal | Owner::Outcome)) =>
        {
            (owned(text), "value")
        }
        Some((name, rest)) if mechanism.is_none() || owned(name).is_some() => (owned(name), rest),
        _ => (None, text),
    };
    // The channels of the only body are those of the mechanism.
    let named_owner = named_owner
        .filter(|(owner, _)| *owner != Owner::Body || mechanism.is_some_and(|m| m.bodies.len() > 1));
    let named = channels::named(bare);
    if named.is_empty() {
        // Without a mechanism it may be one of its signals or outcomes: its faults are reported.
        if let Some(mechanism) = mechanism {
            let own = [Owner::Outcome, Owner::Signal, Owner::State].map(|owner| owner.names(mechanism));
            let names = channels::names();
            let all = own.iter().flatten().map(AsRef::as_ref).chain(names.iter().map(String::as_str));
            entry.report(format!("{} is not a channel", entry.source()), |problem| problem.allow(bare, all));
        }
        return None;
    }
    if named_owner.is_some() && named.iter().all(|channel| channel.owner() == Owner::Mechanism) {
        entry.report(format!("{bare} is of the mechanism as a whole"), |problem| {
            problem.advise(format!("write \"{bare}\""))
        });
        return None;
    }
    let there = |channel: &&Channel| {
        let Some(mechanism) = mechanism else { return true };
        let has = channels::owners(mechanism, **channel);
        match named_owner {
            Some((owner, k)) => owner == channel.owner() && has.contains(&k),
            None => !has.is_empty(),
        }
    };
    let found: Vec<Channel> = named.iter().filter(there).copied().collect();
    if found.is_empty() {
        let owners = mechanism.map(|m| named.iter().flat_map(|channel| offered(m, *channel)).collect());
        entry.report(format!("the mechanism has no {}", entry.source()), |problem| {
            match owners.filter(|owners: &Vec<String>| !owners.is_empty()) {
                Some(owners) => problem.advise(format!("it has {}", owners.join(", "))),
                None => problem.advise("nothing of it has this channel"),
            }
        });
        return None;
    }
    if let Some((found, advice)) = uncounted(bare, &found, mechanism, method) {
        entry.report(found, |problem| problem.advise(advice));
        return None;
    }
    let of_owner = |channel| ObservedChannel { channel, of: named_owner.map(|(_, k)| k) };
    Some(found.into_iter().map(of_owner).collect())
}

/// The fault of channels that the method, or the number of bodies, does not have, and what to do.
fn uncounted(
    bare: &str,
    found: &[Channel],
    mechanism: Option<&Mechanism>,
    method: Option<&TimeIntegration>,
) -> Option<(String, String)> {
    let methods = |does: &dyn Fn(&Card) -> bool| {
        let names: Vec<&str> = cards().iter().filter(|card| does(card)).map(|card| card.name).collect();
        names.join(" or ")
    };
    let counts = [channels::OWN_STEPS, channels::REJECTED_STEPS];
    // A method that is wrong itself may count them.
    if found.iter().any(|channel| counts.contains(channel))
        && method.is_some_and(|method| !has_own_steps(method))
    {
        let key = own_steps::KEY.name;
        let takes = |card: &Card| card.keys.iter().any(|own| own.name == key);
        return Some((
            format!("{bare} are counted where instances choose their own steps"),
            format!("set method.{key}, with the method {}", methods(&takes)),
        ));
    }
    if found.contains(&channels::ITERATIONS) && method.is_some_and(|method| !iterates(method.name)) {
        return Some((
            format!("{bare} are counted where the method iterates"),
            format!("use the method {}", methods(&|card| iterates(card.name))),
        ));
    }
    if found.contains(&channels::POTENTIAL_ESTIMATE) && mechanism.is_some_and(|m| !m.is_one_body()) {
        return Some((format!("{bare} is of a single body"), "observe \"energy\" instead".to_string()));
    }
    None
}

/// The mechanism's channels of this kind, as study files name them.
fn offered(mechanism: &Mechanism, channel: Channel) -> Vec<String> {
    let names = channel.owner().names(mechanism);
    let owners = channels::owners(mechanism, channel);
    let first = channel.mode().map(|_| channel.of_mode(0));
    if let Some(first) = first.filter(|_| owners.is_empty()) {
        // No body has so many modes.
        let message =
            |b: usize| format!("{}.{} of {} modes", names[b], first.name(), mechanism.bodies[b].modes());
        return channels::owners(mechanism, first).into_iter().map(message).collect();
    }
    owners.into_iter().map(|k| channel.name_of(names[k])).collect()
}
