//! Other programs beside which polhode is timed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use fearless_simd::Level;

/// Another program that answers a line by the time that it took and where the instances end.
pub struct Peer {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
    instances: usize,
}

impl Peer {
    pub fn start(command: &mut Command, instances: usize) -> Option<Peer> {
        let command = command.env("OMP_NUM_THREADS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let (ask, answer) = (child.stdin.take()?, child.stdout.take()?);
        Some(Peer { child, ask, answer: BufReader::new(answer), instances })
    }

    /// Time of an instance (s), and the ends of all.
    pub fn run(&mut self, question: &str) -> Option<(f64, Vec<Vec<f64>>)> {
        writeln!(self.ask, "{question}").ok()?;
        self.ask.flush().ok()?;
        let mut line = || -> Option<Vec<f64>> {
            let mut line = String::new();
            self.answer.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
            line.split_whitespace().map(|x| x.parse().ok()).collect()
        };
        let seconds = *line()?.first()?;
        let ends: Option<Vec<_>> = (0..self.instances).map(|_| line()).collect();
        Some((seconds / self.instances as f64, ends?))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It ends with its input; whether it already has does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The loops of `ceiling.c`, compiled for this machine; `None`: there is no gcc. `real`: `float` or
/// `double`; `vectors`: so many side by side. Vectors as wide as this level has.
pub fn ceiling(folder: &Path, real: &str, vectors: usize, level: Level) -> Option<PathBuf> {
    let program = folder.join(format!("ceiling_{real}_{vectors}"));
    let (bits, without) = match level.as_avx512() {
        Some(_) => (512, None),
        None => (256, Some("-mno-avx512f")),
    };
    let status = Command::new("gcc")
        .args(["-O3", "-march=native", "-fno-math-errno", "-fopenmp", "-w"])
        .args(without)
        .args([format!("-DREAL={real}"), format!("-DK={vectors}")])
        .args([format!("-DBITS={bits}"), format!("-mprefer-vector-width={bits}")])
        .args(["benches/peers/ceiling_main.c", "-lm", "-o"])
        .arg(&program)
        .status();
    status.ok().filter(|status| status.success()).map(|_| program)
}
