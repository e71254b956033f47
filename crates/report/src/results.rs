//! The answer of an ensemble that is advanced in time: tables of statistics and trajectories,
//! plots, and the report.

use super::answer::StudyAnswer;
use super::cards::{CORRELATIONS, HISTOGRAMS, MOTION, STATISTICS, TRAJECTORIES};
use super::fan_text::fan_text;
use super::motion::write_motion;
use super::plots::draw_all;
use super::report;
use super::report_data::ReportData;
use super::series::{write_histograms, write_statistics, write_trajectories};

impl ReportData<'_> {
    /// All but the table of instances, which the run has written before.
    pub fn answer(&self, found: Vec<String>) -> StudyAnswer<'_> {
        let (columns, times, study) = (self.columns, self.times, self.study);
        let probabilities = &study.observe.quantiles;
        let mut answer = StudyAnswer {
            study,
            study_toml: self.study_toml,
            tables: vec![
                (
                    &STATISTICS,
                    Box::new(|file| write_statistics(file, columns, times, probabilities, self.summaries)),
                ),
                (&HISTOGRAMS, Box::new(|file| write_histograms(file, columns, self.final_histograms))),
                (&TRAJECTORIES, Box::new(|file| write_trajectories(file, columns, times, self.trajectories))),
                (&MOTION, Box::new(|file| write_motion(file, &study.mechanism, self.motions))),
            ],
            data: None,
            draw: Box::new(|manifest, _| Ok(draw_all(self, manifest))),
            report: Box::new(|manifest, pictures| report::render(self, manifest, pictures)),
            found,
            fan: (0..columns.len())
                .filter(|_| study.kind.card().in_time)
                .find_map(|column| fan_text(columns, times, self.summaries, probabilities, column)),
        };
        if !self.associations.are_left_out(study) {
            answer.tables.push((&CORRELATIONS, Box::new(|file| self.associations.write(file, columns))));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use polhode_engine::observe::channels;
    use std::fs::File;
    use std::path::Path;
    use std::sync::Arc;
    use std::time::Instant;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, Float64Type, UInt64Type};
    use arrow_array::{Array, RecordBatch};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::super::answer::NEVER;
    use super::*;
    use crate::*;
    use polhode_description::base::{Options, Precision};
    use polhode_description::describe::*;
    use polhode_engine::observe::{PILOT, Pilot, Statistics, Verdict};

    const INSTANCES_DRAWN: u64 = 5000;
    const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

    fn study(title: &str) -> Study {
        let body = Body {
            name: "body".to_owned(),
            mass: 1.0,
            inertia: [[5.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, 0.0, 1.0]],
            inertia_axes: [1.0, 0.0, 0.0, 0.0],
            inertia_about: InertiaAbout::MassCentre,
            centre_of_mass: [0.0; 3],
            support: Support::Free,
            is_point: false,
            flexible: None,
            initial: Initial {
                position: [0.0; 3],
                velocity: [0.0; 3],
                attitude: [1.0, 0.0, 0.0, 0.0],
                angular_velocity: [0.1, 2.0, 0.1],
                angular_velocity_axes: Axes::Body,
                given: Given::ABOUT,
            },
        };
        let target = Target {
            key: "body.angular_velocity".to_owned(),
            body: 0,
            quantity: Quantity::AngularVelocity,
            component: None,
        };
        let distribution = Distribution::drawn(
            "normal",
            [("mean", vec![0.1, 2.0, 0.1].into()), ("std", vec![0.05; 3].into())],
        );
        Study {
            title: title.to_owned(),
            kind: MonteCarlo.into(),
            mechanism: Mechanism { name: "free body".to_owned(), ..Mechanism::of(vec![body]) },
            method: TimeIntegration {
                name: "staggered",
                options: Options::default(),
                step: 1e-3,
                steps: 50_000,
                resynchronise: 200,
                accuracy: None,
                open: None,
                chosen: false,
            },
            constraints: Constraints::default(),
            ensemble: Ensemble {
                size: INSTANCES_DRAWN,
                seed: 7,
                design: Design::Random,
                vary: vec![Vary { target, distribution }],
                correlated: vec![],
                until: None,
            },
            observe: Observe {
                channels: vec![channels::ANGULAR_VELOCITY.into()],
                every: 100,
                keep: 8,
                quantiles: QUANTILES.to_vec(),
            },
            verdict: VerdictBounds {
                energy: Some(0.01),
                unexplained: Default::default(),
                quaternion_norm: Some(0.01),
                constraint: None,
                every: 100,
            },
            accuracy: AccuracySettings::default(),
            output: OutputSettings { plots: true, ..OutputSettings::default() },
            run: Run {
                backend: BackendChoice::Auto,
                precision: Precision::F32,
                fused: true,
                threads: None,
                chunk: None,
                kernels: Kernels::Auto,
                checkpoint: None,
            },
        }
    }

    fn channel(channel: &str, component: &str, unit: &str, description: &str) -> ColumnLabel {
        let [channel, component, unit, description] =
            [channel, component, unit, description].map(str::to_owned);
        ColumnLabel { channel, component, unit, description }
    }

    /// Something like a tumbling body: spread in phase grows, energy is near constant, the drift is
    /// tiny, and every thousandth instance stops on the way.
    fn value(instance: u64, time: f64, column: usize) -> f64 {
        let random = |k: u64| {
            let hash = (instance * 7 + k).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64 / 2f64.powi(53) - 0.5
        };
        if instance % 1000 == 999 && time > 30.0 {
            return f64::NAN;
        }
        let rate = 0.6 + 0.05 * (random(1) + random(2) + random(3));
        let phase = rate * time + random(4);
        match column {
            0 => 2.0 * phase.sin() + 0.1 * random(5),
            1 => 20.0 + 1e-6 * (random(6) + 0.2 * (phase * 3.0).cos()),
            _ => (1e-7 * time.sqrt() * (random(7) + random(8))).abs(),
        }
    }

    /// Turns about axis 3 by 1 rad/s.
    fn tumbling(times: &[f64]) -> Track {
        let pose = |&time: &f64| {
            let (s, c) = (time / 2.0).sin_cos();
            vec![Pose { position: [0.0; 3], attitude: [c, 0.0, 0.0, s] }]
        };
        let amplitudes = vec![Vec::new(); times.len()];
        Track { instance: 0, times: times.to_vec(), poses: times.iter().map(pose).collect(), amplitudes }
    }

    #[expect(clippy::too_many_lines, reason = "one result with all its parts")]
    fn write_example(target: &Path, title: &str) -> std::path::PathBuf {
        let study = study(title);
        let times: Vec<f64> = (0..=500).map(|k| f64::from(k) * 0.1).collect();
        let columns = [
            channel("angular_velocity", "x", "rad/s", "angular velocity in body axes"),
            channel("energy", "", "J", "kinetic and gravitational energy"),
            channel("energy_drift", "", "1", "|E - E0| / (T0 + |V0|) <of the start>"),
        ];
        let mut pilot = Pilot::new(times.len(), columns.len(), INSTANCES_DRAWN);
        let chosen = polhode_description::base::spread(INSTANCES_DRAWN, PILOT);
        let values = |instances: &[u64], time: usize, column: usize| -> Vec<f64> {
            instances.iter().map(|&instance| value(instance, times[time], column)).collect()
        };
        for time in 0..times.len() {
            for column in 0..columns.len() {
                pilot.record(time, column, &values(&chosen, time, column));
            }
        }
        let mut statistics = Statistics::new(Arc::new(pilot), &QUANTILES);
        let all: Vec<u64> = (0..INSTANCES_DRAWN).collect();
        for time in 0..times.len() {
            for column in 0..columns.len() {
                statistics.add(time, column, &values(&all, time, column));
            }
        }
        let summaries = statistics.summaries();
        let final_histograms: Vec<_> =
            (0..columns.len()).map(|column| statistics.histogram(times.len() - 1, column, 48)).collect();
        let kept = [0, 1, 2, 3, 4, 5, 6, 999];
        let series = |column| (0..times.len()).flat_map(|time| values(&kept, time, column)).collect();
        let trajectories = Trajectories {
            instances: kept.to_vec(),
            values: (0..columns.len()).map(series).collect(),
            precision: Some(Precision::F32),
        };
        let failures: Vec<FailedInstance> = (0..5)
            .map(|k| FailedInstance { instance: k * 1000 + 999, verdict: Verdict::EnergyBound, step: 30_000 })
            .collect();

        let motions = [tumbling(&times)];

        let folder = OutputFolder::create(target, true).unwrap();
        let column = |name: &str, precision| Column {
            name: name.to_owned(),
            unit: "rad/s".to_owned(),
            description: "as drawn".to_owned(),
            precision,
        };
        let drawn = [
            column("drawn.angular_velocity.x", Precision::F64),
            column("final.angular_velocity.x", Precision::F32),
        ];
        let mut instances = InstancesWriter::create(
            &folder.path(INSTANCES.file),
            &drawn,
            study.method.step,
            &InstanceTable::All,
            &study.mechanism.verdict_names(),
        )
        .unwrap();
        for chunk in all.chunks(700) {
            let stopped = |&i: &u64| i % 1000 == 999;
            let verdict = |i: &u64| if stopped(i) { Verdict::EnergyBound } else { Verdict::Finished };
            let verdicts: Vec<Verdict> = chunk.iter().map(verdict).collect();
            let steps: Vec<u64> = chunk.iter().map(|i| if stopped(i) { 30_000 } else { 50_000 }).collect();
            let first = values(chunk, 0, 0);
            let last = values(chunk, times.len() - 1, 0);
            let chunk = InstancesChunk {
                first: chunk[0],
                verdicts: &verdicts,
                verdict_steps: &steps,
                own_steps: None,
                verdict_times: None,
                values: &[&first, &last],
            };
            instances.write(&chunk).unwrap();
        }
        instances.finish().unwrap();

        let manifest = Manifest {
            resumed: 0,
            interrupted_at: None,
            samples: None,
            polhode: env!("CARGO_PKG_VERSION").to_owned(),
            study: study.title.clone(),
            kind: study.kind.name().to_string(),
            complete: false,
            shard: None,
            instances: INSTANCES_DRAWN,
            advanced: INSTANCES_DRAWN,
            device: "CPU (AVX-512, 2 threads): no GPU was found".to_owned(),
            backend: "cpu".to_owned(),
            precision: "f32".to_owned(),
            fused: true,
            seed: 7,
            method: "staggered".to_owned(),
            step: study.method.step,
            varied_step: None,
            steps: study.method.steps,
            start: None,
            started: now_utc(),
            timings: Timings {
                sampling: 0.01,
                preparing: 0.02,
                stepping: 1.25,
                observing: 0.4,
                judging: 0.0,
                writing: 0.05,
                total: 1.8,
            },
            instance_steps_per_second: 4.1e9,
            device_losses: 0,
            rows_left_out: Vec::new(),
            warnings: Vec::new(),
            verdicts: [("finished".to_owned(), INSTANCES_DRAWN - 5), ("energy_bound".to_owned(), 5)].into(),
            until: None,
            bent: None,
            accuracy: None,
            files: Vec::new(),
        };
        let associations = Associations::read(&folder.path(INSTANCES.file), &study, &columns).unwrap();
        let study_toml = format!("title = \"{title}\"\n\n[method]\nstep = 0.001 # a < b & c\n");
        let data = ReportData {
            study: &study,
            study_toml: &study_toml,
            columns: &columns,
            times: &times,
            summaries: &summaries,
            final_histograms: &final_histograms,
            densities: &[],
            associations: &associations,
            trajectories: &trajectories,
            motions: &motions,
            failures: &failures,
        };
        let start = Instant::now();
        let written = data.answer(Vec::new()).write(folder, &NEVER, manifest).unwrap();
        println!("results written in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        written.folder
    }

    fn read(file: &Path) -> RecordBatch {
        let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap()).unwrap();
        let schema = builder.schema().clone();
        let batches: Vec<_> = builder.with_batch_size(1 << 20).build().unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.len(), 1);
        assert_eq!(batches[0].schema().fields(), schema.fields());
        batches[0].clone()
    }

    fn unit(batch: &RecordBatch, column: &str) -> String {
        batch.schema().field_with_name(column).unwrap().metadata()["unit"].clone()
    }

    #[test]
    fn a_whole_result_reads_back() {
        let home = tempfile::tempdir().unwrap();
        let folder = write_example(&home.path().join("out"), "Tumbling");

        let batch = read(&folder.join(INSTANCES.file));
        assert_eq!(batch.num_rows() as u64, INSTANCES_DRAWN);
        assert_eq!(unit(&batch, "verdict_time"), "s");
        assert_eq!(unit(&batch, "drawn.angular_velocity.x"), "rad/s");
        assert_eq!(batch["instance"].as_primitive::<UInt64Type>().value(4321), 4321);
        assert_eq!(
            batch["drawn.angular_velocity.x"].as_primitive::<Float64Type>().value(4321),
            value(4321, 0.0, 0)
        );
        let last = batch["final.angular_velocity.x"].as_primitive::<Float32Type>();
        assert_eq!(last.value(4321), value(4321, 50.0, 0) as f32);
        assert!(last.is_null(999) && last.null_count() == 5);
        let verdict = batch["verdict"].as_dictionary::<arrow_array::types::UInt32Type>();
        let names = verdict.downcast_dict::<arrow_array::StringArray>().unwrap();
        let stopped = names.into_iter().filter(|name| *name == Some("energy_bound")).count();
        assert_eq!(stopped, 5);
        assert!((batch["verdict_time"].as_primitive::<Float64Type>().value(999) - 30.0).abs() < 1e-12);

        let batch = read(&folder.join(STATISTICS.file));
        assert_eq!(batch.num_rows(), 501 * 3);
        let median = batch["q50"].as_primitive::<Float64Type>();
        let mut exact: Vec<f64> = (0..INSTANCES_DRAWN).map(|i| value(i, 0.1, 0)).collect();
        exact.sort_by(f64::total_cmp);
        assert!((median.value(3) - (exact[2499] + exact[2500]) / 2.0).abs() < 0.02);
        assert_eq!(batch["count"].as_primitive::<UInt64Type>().value(1502), INSTANCES_DRAWN - 5);

        let batch = read(&folder.join(TRAJECTORIES.file));
        assert_eq!(batch.num_rows(), 501 * 8);
        assert_eq!(unit(&batch, "energy"), "J");
        assert_eq!(unit(&batch, "time"), "s");
        let x = batch["angular_velocity.x"].as_primitive::<Float32Type>();
        assert_eq!(x.value(501 + 10), value(1, 1.0, 0) as f32);
        assert!(x.is_null(501 * 8 - 1) && !x.is_null(501 * 7 - 1));

        let batch = read(&folder.join(MOTION.file));
        assert_eq!((batch.num_rows(), batch.num_columns()), (501, 2 + 7));
        assert_eq!(unit(&batch, "body.position.x"), "m");
        let q3 = batch["body.attitude.q3"].as_primitive::<Float64Type>();
        assert_eq!(q3.value(10), 0.5f64.sin());

        let manifest = Manifest::read(&folder).unwrap();
        assert!(!manifest.complete && manifest.timings.writing > 0.05);
        for entry in &manifest.files {
            assert_eq!(std::fs::metadata(folder.join(&entry.name)).unwrap().len(), entry.bytes);
        }
        let names: Vec<&str> = manifest.files.iter().map(|entry| entry.name.as_str()).collect();
        for name in [
            INSTANCES.file,
            STATISTICS.file,
            TRAJECTORIES.file,
            MOTION.file,
            REPORT,
            STUDY,
            "plots/energy_fan.png",
            "plots/verdicts.svg",
            "plots/motion.svg",
        ] {
            assert!(names.contains(&name), "{name} of {names:?}");
        }
        assert!(std::fs::read(folder.join("plots/energy_fan.png")).unwrap().starts_with(b"\x89PNG"));
    }

    /// Tags close in order; no script but that of the player; nothing is fetched.
    #[test]
    fn the_report_is_whole_and_stands_alone() {
        let home = tempfile::tempdir().unwrap();
        let title = "<script>alert('x')</script> \"a\" & b";
        let folder = write_example(&home.path().join("out"), title);
        let html = std::fs::read_to_string(folder.join(REPORT)).unwrap();
        // The motion, the plots, and the scripts that read them.
        let parts: Vec<&str> = html.split("<script").collect();
        let (data, code): (Vec<&str>, Vec<&str>) =
            parts[1..].iter().partition(|part| part.starts_with(" type=\"application/json\">{"));
        assert_eq!(data.iter().filter(|part| part.contains(">{\"bodies\"")).count(), 1);
        assert!(data.iter().filter(|part| part.contains(">{\"title\"")).count() > 3);
        let begins = |part: &str, words: &str| part.starts_with(&format!(">\"use strict\";\n// {words}"));
        assert!(
            code.len() == 2 && begins(code[0], "Plays the motions") && begins(code[1], "Draws the plots")
        );
        let after = parts[1..].iter().map(|part| part.split_once("</script>").expect("an end").1);
        let html = parts[0].to_string() + &after.collect::<String>();
        // Parts of a picture refer to each other.
        let outwards = html.replace("url(#", "");
        for forbidden in ["http:", "https:", "<link", "@import", "url("] {
            assert!(!outwards.contains(forbidden), "{forbidden}");
        }
        assert!(html.contains("&lt;script&gt;alert('x')&lt;/script&gt; &quot;a&quot; &amp; b"));
        assert!(html.contains("a &lt; b &amp; c"));
        assert!(html.contains("polhode replay . --instance 999"));

        let mut open = Vec::new();
        for tag in html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') && !["!", "meta", "input"].iter().any(|void| tag.starts_with(void))
            {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        assert!(open.is_empty(), "{open:?}");

        // The pictures inside refer to nothing outside either; svg's name space is a name.
        let picture = |name: &str| {
            let svg = std::fs::read_to_string(folder.join(name)).unwrap();
            let links = svg.replace("http://www.w3.org/2000/svg", "");
            assert!(!links.contains("http") && !links.contains("href"), "{name}");
            svg
        };
        picture("plots/motion.svg");
        let fan = picture("plots/angular_velocity.x_fan.svg");
        assert!(fan.contains("angular velocity x (rad/s)") && fan.contains("time (s)"));
    }

    /// `/dev/full` takes nothing, as a full disk.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let columns = [channel("energy", "", "J", "")];
        let trajectories =
            Trajectories { instances: vec![0], values: vec![vec![0.0; 1000]], precision: None };
        let times: Vec<f64> = (0..1000).map(f64::from).collect();
        let error =
            write_trajectories(&NewFile::alone("/dev/full"), &columns, &times, &trajectories).unwrap_err();
        assert!(matches!(&error, OutputError::Io { .. }), "{error:?}");
        assert!(error.to_string().starts_with("/dev/full: No space left on device"), "{error}");
    }

    /// A single instance, nothing kept, one snapshot, and no instance at all: no plot may fail.
    #[test]
    fn the_smallest_results_are_drawn() {
        let home = tempfile::tempdir().unwrap();
        for (values, times) in
            [(vec![2.5], vec![0.0]), (vec![f64::NAN], vec![0.0, 1.0]), (vec![0.0; 2], vec![0.0, 1e-6])]
        {
            let study = study("small");
            let columns = [channel("energy", "", "J", "")];
            let mut pilot = Pilot::new(times.len(), 1, values.len() as u64);
            (0..times.len()).for_each(|time| pilot.record(time, 0, &values));
            let mut statistics = Statistics::new(Arc::new(pilot), &QUANTILES);
            (0..times.len()).for_each(|time| statistics.add(time, 0, &values));
            let summaries: Vec<Vec<_>> =
                (0..times.len()).map(|time| vec![statistics.summary(time, 0)]).collect();
            let histograms = [statistics.histogram(times.len() - 1, 0, 48)];
            let data = ReportData {
                study: &study,
                study_toml: "",
                columns: &columns,
                times: &times,
                summaries: &summaries,
                final_histograms: &histograms,
                densities: &[],
                associations: &Associations::default(),
                trajectories: &Trajectories { values: vec![Vec::new()], ..Trajectories::default() },
                motions: &[],
                failures: &[],
            };
            let folder = OutputFolder::create(&home.path().join("small"), true).unwrap();
            data.answer(Vec::new()).write(folder, &NEVER, Manifest::default()).unwrap();
        }
    }

    #[test]
    fn quantiles_are_named_in_percent() {
        let names: Vec<String> = [0.001, 0.05, 0.55, 0.975].map(quantile_name).to_vec();
        assert_eq!(names, ["q00_1", "q05", "q55", "q97_5"]);
    }
}
