//! The free body and the top by hand in CUDA (`gpu_ceiling.cu`), the ceiling of a card: a program
//! of its own, made by nvcc.

use std::path::Path;
use std::process::Command;

use crate::Context;
use crate::rows::Row;

/// The program, where `run.sh` or `pack.sh` has made it: beside this one.
const PROGRAM: &str = "gpu_ceiling";

/// Runs the program, whose lines are case, precision, instances, steps, figure, value, unit,
/// spread.
pub fn ceiling(context: &mut Context) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let program = own.parent().unwrap_or(Path::new(".")).join(PROGRAM);
    if !program.is_file() {
        return Err(format!("{PROGRAM} is not there: neither pack.sh nor run.sh found nvcc"));
    }
    let sizes = context.sizes.iter().map(usize::to_string);
    let output = Command::new(&program).arg(format!("{:.0}", context.left())).args(sizes).output();
    let output = output.map_err(|error| error.to_string())?;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let cells: Vec<&str> = line.split(',').collect();
        let &[device, case, precision, instances, steps, figure, value, unit, spread] = &cells[..] else {
            return Err(format!("{PROGRAM} printed {line:?}"));
        };
        let row = Row::of("cuda", device, case);
        context.rows.push(Row {
            precision: precision.into(),
            instances: instances.into(),
            steps: steps.into(),
            figure: figure.into(),
            value: value.into(),
            unit: unit.into(),
            spread: spread.into(),
            ..row
        })?;
    }
    match output.status.success() {
        true => Ok(()),
        false => Err(format!(
            "{PROGRAM} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}
