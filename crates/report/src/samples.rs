//! Samples that a program gave in memory: a run keeps them as a table of its folder, so that it can
//! be replayed wherever the folder goes.

use std::path::Path;

use super::cards::SAMPLES;
use super::error::OutputError;
use super::folder::OutputFolder;
use super::table::{ColumnType, field, float_array};
use polhode_description::base::{Precision, regular};
use polhode_description::describe::{Distribution, Study};
use polhode_dynamics::ensemble::Sampler;

/// Writes the samples of a study that came from memory; nothing, where none did.
///
/// # Errors
/// The system refuses the file.
pub fn write_samples(study: &Study, folder: &OutputFolder) -> Result<(), OutputError> {
    let Ok(sampler) = Sampler::new(study) else { return Ok(()) };
    let drawn = sampler.columns();
    let (mut fields, mut arrays, mut at) = (Vec::new(), Vec::new(), 0);
    for vary in &study.ensemble.vary {
        let own = &drawn[at..at + vary.target.width()];
        at += own.len();
        let Distribution::Table { file, columns, values } = &vary.distribution else { continue };
        // Read again from a folder, or by a merge, they are in a file.
        if file != SAMPLES.file || values.is_empty() {
            continue;
        }
        for (k, (column, drawn)) in columns.iter().zip(own).enumerate() {
            let kind = ColumnType::Float(Precision::F64);
            fields.push(field(column, &drawn.unit, &format!("samples of {}", drawn.name), kind));
            arrays.push(float_array(values.iter().map(|row| row[k]), Precision::F64));
        }
    }
    if fields.is_empty() {
        return Ok(());
    }
    let mut table = SAMPLES.create(&folder.path(SAMPLES.file), &[], fields)?;
    table.write(arrays)?;
    table.finish()
}

/// Copies the samples of a shard's folder, if it has any.
///
/// # Errors
/// The system refuses a file.
pub fn copy_samples(from: &Path, folder: &OutputFolder) -> Result<(), OutputError> {
    let file = from.join(SAMPLES.file);
    if file.exists() {
        folder.write(SAMPLES.file, &regular::read(&file).map_err(OutputError::io(&file))?)?;
    }
    Ok(())
}
