//! Parameters that hang together: numbers that are expressions of constants, draws that are
//! correlated, mixtures.

use polhode::describe::{Decided, Mechanism, Study};
use polhode::ensemble::{Quantities, Sampler};
use polhode::model::{AT_REST, BodyParameter, Model, WIDTH};
use polhode::study::plan::plan;
use polhode::study_file::{mechanism_of_text, read_study_text, read_study_with, resolved_toml};
use polhode::{Results, RunOptions, run};

use crate::common::root;
use crate::spreads::drawn;

/// A pendulum of a rod and a ball, all of which follow from lengths and densities.
const PENDULUM: &str = "gravity = 10\n\
    [constants]\nrho = \"7800 kg/m^3\"\nL = \"1 m\"\nd = \"1 cm\"\nA = \"pi*d^2/4\"\nr = \"5*d\"\nK = 0\n\
    [body]\nname = \"rod\"\nsolid = [\n\
    { cylinder = { radius = \"d/2\", length = \"L\" }, density = \"rho\", centre = [0, 0, \"-L/2\"] },\n\
    { sphere = \"r\", density = \"2*rho\", centre = [0, 0, \"-L\"] },\n]\n\
    [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"rod\"]\n\
    points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.01\n\
    [[joint_spring]]\nname = \"coil\"\njoint = \"hinge\"\nstiffness = \"K\"\n";

fn study(vary: &str, rest: &str) -> String {
    format!(
        "method = {{ name = \"staggered\", step = 0.002, steps = 1200 }}\n[ensemble]\nsize = 40\nseed = 4\n\
         [ensemble.vary]\n{vary}\n{rest}"
    )
}

fn read(vary: &str, rest: &str, mechanism: &str) -> Study {
    read_study_text("study", &study(vary, rest), mechanism).unwrap_or_else(|problems| panic!("{problems}"))
}

fn faults(vary: &str, rest: &str, mechanism: &str) -> String {
    read_study_text("study", &study(vary, rest), mechanism).expect_err("it is wrong").to_string()
}

/// The quantities of each instance, with the mechanism as it is there.
fn instances(study: &Study) -> Vec<(Vec<f64>, Quantities, Mechanism)> {
    let sampler = Sampler::new(study).unwrap();
    let instance = |row: Vec<f64>| {
        let mut quantities = Quantities::nominal(study);
        sampler.apply(&row, &mut quantities);
        let linked = quantities.linked(&study.mechanism).unwrap();
        let (quantities, own) = linked.expect("constants differ");
        (row, quantities, own)
    };
    drawn(study).into_iter().map(instance).collect()
}

#[test]
fn numbers_follow_from_constants_in_every_instance() {
    let study = read(
        "\"constants.rho\" = { normal = { relative_std = 0.1 } }\n\"constants.d\" = { uniform = \"±30 %\" }\n\
         \"constants.L\" = { uniform = { low = \"80 cm\", high = \"1.2 m\" } }",
        "",
        PENDULUM,
    );
    let mut masses = Vec::new();
    for (row, quantities, own) in instances(&study) {
        let [rho, d, l] = row[..] else { panic!("{row:?}") };
        let rod = rho * std::f64::consts::PI * d * d / 4.0 * l;
        let ball = 2.0 * rho * 4.0 / 3.0 * std::f64::consts::PI * (5.0 * d).powi(3);
        let mass = rod + ball;
        let close = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        };
        close(quantities.bodies[0].mass, mass);
        close(quantities.bodies[0].centre_of_mass[2], -(rod * l / 2.0 + ball * l) / mass);
        // About the hinge: the sum of both.
        let c = quantities.bodies[0].centre_of_mass[2];
        let hinge = rod * (d * d / 16.0 + l * l / 3.0) + ball * (0.4 * 25.0 * d * d + l * l);
        close(quantities.bodies[0].inertia[1][1] + mass * c * c, hinge);
        assert_eq!(own.constants[3].value, std::f64::consts::PI * (d * d) / 4.0);
        masses.push(mass);
    }
    assert!(masses.windows(2).all(|pair| pair[0] != pair[1]));
}

/// A quarter of the period 2 pi sqrt(J/(m g c)), of swings of 0.01 rad, which lengthen it by 6e-6.
#[test]
fn the_period_is_that_of_the_mass_and_inertia_that_follow_from_density_and_length() {
    let outcome = "[[outcome]]\nname = \"quarter\"\nfirst = \"hinge.angle < 0\"\n[observe]\n\
                   channels = [\"angle\", \"quarter\"]\nevery = 1200\n\
                   [run]\nbackend = \"cpu\"\nprecision = \"f64\"\n";
    let study = read(
        "\"constants.d\" = { uniform = \"±30 %\" }\n\
         \"constants.L\" = { uniform = { low = 0.5, high = 1.5 } }\n\
         \"constants.K\" = { uniform = { low = 0, high = 20 } }",
        outcome,
        PENDULUM,
    );
    let results = run(&study, &RunOptions::new()).unwrap();
    let table = results.table("instances").unwrap();
    let column = |name: &str| -> Vec<f64> {
        let values = table.iter().flat_map(|batch| {
            let column = batch.column_by_name(name).unwrap_or_else(|| panic!("{name}: {:?}", batch.schema()));
            let column = column.as_any().downcast_ref::<arrow_array::Float64Array>().unwrap();
            column.values().to_vec()
        });
        values.collect()
    };
    let quarters = column("final.quarter");
    assert_eq!(quarters.len(), 40);
    for ((row, quantities, _), found) in instances(&study).into_iter().zip(quarters) {
        let body = &quantities.bodies[0];
        let c = -body.centre_of_mass[2];
        let hinge = body.inertia[1][1] + body.mass * c * c;
        let period = 2.0 * std::f64::consts::PI * (hinge / (body.mass * 10.0 * c + row[2])).sqrt();
        // The swing, and (omega h)²/24 of the method.
        assert!((4.0 * found / period - 1.0).abs() < 3e-5, "{found} {period}");
    }
}

/// Two named points, the origin of the body, and the place where a law acts are one as described.
/// The first two follow from a constant each, and the rod stands still.
#[test]
fn points_that_coincide_as_described_part_where_they_follow_from_constants() {
    let mechanism = "[constants]\ne = 0\nf = 0\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 1]\n\
                     [[point]]\nname = \"near\"\nbody = \"rod\"\nat = [\"e\", 0, 0]\n\
                     [[point]]\nname = \"other\"\nbody = \"rod\"\nat = [\"f\", 0, 0]\n\
                     [[load]]\nname = \"pull\"\nkind = \"force\"\nbody = \"rod\"\naxes = \"space\"\n\
                     function = [0, \"-1e-9*rod.position.y\", 0]\n";
    let outcomes: String = ["near", "other", "rod"]
        .map(|body| format!("[[outcome]]\nname = \"{body}_x\"\nmax = \"{body}.position.x\"\n"))
        .concat();
    let rest = format!("{outcomes}[run]\nbackend = \"cpu\"\nprecision = \"f64\"\n[accuracy]\nbudget = 0\n");
    let vary = "\"constants.e\" = { uniform = { low = 1, high = 2 } }\n\
                \"constants.f\" = { uniform = { low = 3, high = 4 } }";
    let results = run(&read(vary, &rest, mechanism), &RunOptions::new()).unwrap();
    let found = results_of(&results, &[]);
    let column = |name: &str| {
        let is_column = |(column, _): &&(String, _)| *column == format!("instances.{name}");
        &found.iter().find(is_column).unwrap_or_else(|| panic!("{name}")).1
    };
    assert_eq!(column("final.near_x"), column("drawn.constants.e"));
    assert_eq!(column("final.other_x"), column("drawn.constants.f"));
    assert!(column("final.rod_x").iter().all(|x| *x == Some(0.0_f64.to_bits())));
}

#[test]
fn a_resolved_study_keeps_its_expressions_and_runs_again_the_same() {
    let study = read(
        "\"constants.rho\" = { normal = { relative_std = 0.1 } }\n\"coil.damping\" = { mixture = [\
         { weight = 2, uniform = { low = 0, high = 1 } }, \
         { weight = 1, normal = { mean = 3, std = 0.1 } }] }",
        "[[ensemble.correlated]]\nof = [\"constants.rho\", \"coil.damping\"]\ncorrelation = 0.5\n",
        PENDULUM,
    );
    let text = resolved_toml(&study);
    for kept in [
        "\"d/2\"",
        "A = \"pi*d^2/4\"",
        "density = \"2*rho\"",
        "mixture",
        "correlation = [[1.0, 0.5], [0.5, 1.0]]",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    std::fs::write(&file, &text).unwrap();
    let again =
        polhode::study_file::read_study(&file).unwrap_or_else(|problems| panic!("{problems}\n{text}"));
    assert_eq!(again, study);
    assert_eq!(resolved_toml(&again), text);
    assert_eq!(drawn(&again), drawn(&study));
}

/// A number that changes late is found: in none of the instances that a plan looks at is the
/// spring's end anywhere but at the origin.
#[test]
fn a_number_that_differs_in_one_instance_alone_is_no_constant() {
    let mechanism = "[constants]\nn = 0\nlate = \"step(n - 5000.5)*step(5001.5 - n)\"\n[body]\nmass = 1\n\
                     inertia = [1, 2, 2.5]\ninitial.position = [2, 0, 0]\n\
                     [[spring]]\nname = \"coil\"\nbodies = [\"ground\", \"body\"]\n\
                     points = [[\"late\", 0, 0], [0, 0, 0]]\nstiffness = 1\nfree_length = 0\n";
    let text = "method = { name = \"rk4\", step = 0.01, steps = 20 }\nensemble.size = 8000\n\
                [ensemble.vary]\n\"constants.n\" = { linspace = { from = 0, to = 7999, count = 8000 } }\n\
                [run]\nbackend = \"cpu\"\n[observe]\nchannels = [\"energy\"]\nevery = 20\n";
    let study = read_study_text("study", text, mechanism).unwrap_or_else(|problems| panic!("{problems}"));
    let results = run(&study, &RunOptions::new()).unwrap();
    assert!(results.is_complete() && results.verdicts()["finished"] == 8000, "{:?}", results.verdicts());
    let table = results.table("instances").unwrap();
    let energies: Vec<f64> = table
        .iter()
        .flat_map(|batch| {
            let schema = batch.schema();
            let name = schema.fields().iter().map(|field| field.name()).find(|name| name.ends_with("energy"));
            let column = batch.column_by_name(name.expect("observed")).expect("a column");
            let doubles = column.as_any().downcast_ref::<arrow_array::Float64Array>();
            let singles = column.as_any().downcast_ref::<arrow_array::Float32Array>();
            match (doubles, singles) {
                (Some(column), _) => column.values().to_vec(),
                (_, Some(column)) => column.values().iter().map(|x| f64::from(*x)).collect(),
                _ => panic!("energies are numbers"),
            }
        })
        .collect();
    assert!((energies[0] - 2.0).abs() < 1e-4, "{}", energies[0]);
    assert!((energies[5001] - 0.5).abs() < 1e-4, "{}", energies[5001]);
    assert_eq!(energies[7999], energies[0]);
}

#[test]
fn an_instance_whose_number_is_out_of_range_is_an_invalid_sample() {
    let mechanism = "[constants]\nm = 1\n[body]\nmass = \"m\"\ninertia = [1, 2, 2.5]\n";
    let study = read_study_text(
        "study",
        "method = { name = \"rk4\", step = 0.01, steps = 10 }\nensemble.size = 4\n[ensemble.vary]\n\
         \"constants.m\" = { list = [1, 0, -1, 2] }\n[run]\nbackend = \"cpu\"\n",
        mechanism,
    )
    .unwrap_or_else(|problems| panic!("{problems}"));
    let results = run(&study, &RunOptions::new()).unwrap();
    assert_eq!((results.verdicts()["finished"], results.verdicts()["invalid_sample"]), (2, 2));
}

/// Numbers that do not follow from varied ones stay constants of the step's program.
#[test]
fn only_what_follows_varies() {
    let count = |vary: &str| {
        let plan = plan(&read(vary, "", PENDULUM)).unwrap_or_else(|why| panic!("{why:?}"));
        plan.model.varying().iter().filter(|varies| **varies).count()
    };
    let stiffness = count("\"constants.K\" = { uniform = { low = 1, high = 2 } }");
    // The constant, and the stiffness.
    assert_eq!(stiffness, count("\"coil.stiffness\" = { uniform = { low = 1, high = 2 } }") + 1);
    assert!(count("\"constants.L\" = { uniform = \"±10 %\" }") > stiffness);
}

#[test]
fn correlated_numbers_keep_their_laws_and_have_the_correlation() {
    let vary = "\"rod.mass\" = { normal = { mean = 3, std = 0.5 } }\n\
                \"coil.stiffness\" = { uniform = { low = 1, high = 5 } }\n\
                \"coil.damping\" = { normal = { mean = 2, std = 0.1 } }";
    let mechanism = PENDULUM.replace("\"K\"", "2");
    let matrix = "[[ensemble.correlated]]\nof = [\"rod.mass\", \"coil.damping\", \"coil.stiffness\"]\n\
                  correlation = [[1, 0.7, -0.4], [0.7, 1, 0], [-0.4, 0, 1]]\n";
    for design in ["random", "sobol", "latin_hypercube"] {
        let study = read_study_text(
            "study",
            &format!(
                "method = {{ name = \"rk4\", step = 0.01, steps = 10 }}\n[ensemble]\nsize = 20000\nseed = 4\n\
                 design = \"{design}\"\n[ensemble.vary]\n{vary}\n{matrix}"
            ),
            &mechanism,
        );
        let study = study.unwrap_or_else(|problems| panic!("{problems}"));
        let rows = drawn(&study);
        let n = rows.len() as f64;
        let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let mean = |x: &[f64]| x.iter().sum::<f64>() / n;
        let covariance = |x: &[f64], y: &[f64]| {
            let (a, b) = (mean(x), mean(y));
            x.iter().zip(y).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / n
        };
        let correlation =
            |x: &[f64], y: &[f64]| covariance(x, y) / (covariance(x, x) * covariance(y, y)).sqrt();
        let (mass, stiffness, damping) = (column(0), column(1), column(2));
        // Four standard errors of 20000 independent points; (1 - r²)/sqrt(n) of a correlation.
        let error = 4.0 / n.sqrt();
        assert!((mean(&mass) - 3.0).abs() < 0.5 * error && (mean(&damping) - 2.0).abs() < 0.1 * error);
        assert!((mean(&stiffness) - 3.0).abs() < 4.0 / 12f64.sqrt() * error);
        assert!((covariance(&stiffness, &stiffness) / (16.0 / 12.0) - 1.0).abs() < error);
        assert!(stiffness.iter().all(|x| (1.0..=5.0).contains(x)));
        let found =
            [correlation(&mass, &damping), correlation(&mass, &stiffness), correlation(&damping, &stiffness)];
        // A normal number with a uniform one: r sqrt(3/pi).
        let expected = [0.7, -0.4 * (3.0 / std::f64::consts::PI).sqrt(), 0.0];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < error, "{design}: {found} {expected}");
        }
    }
    // The first number goes through it unchanged, but for rounding.
    let [with, without] = [matrix, ""].map(|rest| drawn(&read(vary, rest, &mechanism)));
    assert!(with.iter().zip(&without).all(|(a, b)| (a[0] / b[0] - 1.0).abs() < 1e-12));
    assert!(with.iter().zip(&without).any(|(a, b)| a[2] != b[2]));
}

#[test]
fn mixtures_have_the_mean_and_variance_of_their_parts() {
    let study = read(
        "\"rod.mass\" = \
         { mixture = [{ weight = 0.9, normal = { mean = \"3 kg\", std = 0.1 } }, \
                       { weight = 0.1, uniform = { low = 5, high = 7 } }] }",
        "",
        &PENDULUM.replace("\"K\"", "2"),
    );
    let mut study = study;
    study.ensemble.size = 20_000;
    let values: Vec<f64> = drawn(&study).into_iter().map(|row| row[0]).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let expected = 0.9 * 3.0 + 0.1 * 6.0;
    let spread =
        0.9 * (0.01 + (3.0f64 - expected).powi(2)) + 0.1 * (4.0 / 12.0 + (6.0f64 - expected).powi(2));
    let error = 4.0 / n.sqrt();
    assert!((mean - expected).abs() < spread.sqrt() * error, "{mean} {expected}");
    assert!((variance / spread - 1.0).abs() < 2.0 * error, "{variance} {spread}");
    let heavy = values.iter().filter(|x| **x >= 5.0).count() as f64 / n;
    assert!((heavy - 0.1).abs() < 0.3 * error, "{heavy}");
}

/// Numbers are the same with and without expressions, where nothing is varied.
#[test]
fn an_expression_is_its_value() {
    let mechanism = |mass: &str| {
        mechanism_of_text(
            "m",
            &format!(
                "[constants]\na = \"2 kg\"\nb = \"3*a\"\n[body]\nmass = {mass}\ninertia = [1, 2, 2.5]\n"
            ),
        )
    };
    for (text, value) in
        [("\"a\"", 2.0), ("\"b/2 + a^2\"", 7.0), ("\"-a + 3\"", 1.0), ("\"2 kg\"", 2.0), ("\"300 g\"", 0.3)]
    {
        assert_eq!(mechanism(text).unwrap().bodies[0].mass, value, "{text}");
    }
    let mut said = String::new();
    for text in [
        "\"2 kgg\"",
        "\"10\"",
        "\"2 s\"",
        "\"aa*2\"",
        "\"a*t\"",
        "\"2 a\"",
        "\"a - 2\"",
        "\"1/(a - 2)\"",
        "\"heavy\"",
        "\"rod.angle*a\"",
    ] {
        said += &format!("{text} {}\n", mechanism(text).unwrap_err());
    }
    insta::assert_snapshot!(said);
}

#[test]
fn what_does_not_go_together_is_refused_by_name() {
    let rho = "\"constants.rho\" = { uniform = \"±10 %\" }\n";
    let free = PENDULUM.replace("\"K\"", "2");
    let contact = "gravity = 10\n[constants]\nr = 0.1\n[body]\nmass = 1\ninertia = [1, 1, 1]\n\
                   initial.position = [0, 0, \"r\"]\n[[contact]]\nname = \"floor\"\nkind = \"rolling\"\n\
                   radius = \"r\"\n";
    let wave = "[constants]\na = 0.1\n[body]\nmass = 1\ninertia = [1, 1, 1]\n[[load]]\nname = \"wave\"\n\
                kind = \"force\"\naxes = \"space\"\n\
                function = [{ harmonic = { amplitude = \"a\", frequency = 1 } }, 0, 0]\n";
    let rod = "[constants]\na = 0.1\n[body]\nname = \"bob\"\nmass = 1\ninertia = [1, 1, 1]\n\
               initial.position = [0, 0, \"-a\"]\n\
               [[joint]]\nname = \"rod\"\nkind = \"distance\"\nbodies = [\"ground\", \"bob\"]\n\
               points = [[0, 0, 0], [0, 0, 0]]\n";
    let both = "\"rod.mass\" = { normal = { std = 0.1 } }\n\
                \"coil.stiffness\" = { uniform = { low = 1, high = 2 } }\n";
    let together = |names: &str, correlation: &str| {
        format!("[[ensemble.correlated]]\nof = {names}\ncorrelation = {correlation}\n")
    };
    let pair = "[\"rod.mass\", \"coil.stiffness\"]";
    let mixture = |parts: &str| format!("\"rod.mass\" = {{ mixture = {parts} }}\n");
    let mut said = String::new();
    let mut fault = |vary: &str, rest: &str, mechanism: &str| {
        said += &faults(vary, rest, mechanism);
        said += "\n";
    };
    fault(&format!("{rho}\"rod.mass\" = {{ normal = {{ std = 0.1 }} }}"), "", PENDULUM);
    fault(&format!("{rho}\"rod.inertia.xx\" = {{ normal = {{ relative_std = 0.1 }} }}"), "", PENDULUM);
    fault(
        "\"constants.A\" = { uniform = \"±10 %\" }\n\"constants.d\" = { uniform = \"±10 %\" }",
        "",
        PENDULUM,
    );
    fault("\"constants.r\" = { uniform = \"±10 %\" }", "", contact);
    fault("\"constants.a\" = { uniform = \"±10 %\" }", "", wave);
    fault("\"constants.a\" = { uniform = \"±10 %\" }\n\"rod.length\" = { uniform = \"±10 %\" }", "", rod);
    fault(both, &together("[\"rod.mass\"]", "0.5"), &free);
    fault(both, &together("[\"rod.mas\", \"coil.stiffness\"]", "0.5"), &free);
    fault(both, &together("[\"rod.mass\", \"rod.mass\"]", "0.5"), &free);
    fault(both, &together(pair, "1.5"), &free);
    fault(both, &together(pair, "[[1, 0.5]]"), &free);
    fault(both, &together(pair, "[[1, 0.5], [0.4, 1]]"), &free);
    fault(both, &together(pair, "[[2, 0.5], [0.5, 1]]"), &free);
    let three = format!("{both}\"coil.damping\" = {{ uniform = {{ low = 1, high = 2 }} }}\n");
    fault(&three, &together("[\"rod.mass\", \"coil.stiffness\", \"coil.damping\"]", "-0.6"), &free);
    let listed =
        "\"rod.mass\" = { list = [1, 2] }\n\"coil.stiffness\" = { uniform = { low = 1, high = 2 } }\n";
    fault(listed, &together(pair, "0.5"), &free);
    fault(&mixture("{ normal = { std = 1 } }"), "", &free);
    fault(&mixture("[{ weight = 1, normal = { std = 1 } }]"), "", &free);
    fault(
        &mixture("[{ weight = 0, normal = { std = 1 } }, { weight = 1, normal = { std = 2 } }]"),
        "",
        &free,
    );
    fault(&mixture("[{ weight = 1 }, { weight = 1, normal = { std = 2 } }]"), "", &free);
    fault(&mixture("[{ weight = 1, mixture = [] }, { weight = 1, normal = { std = 2 } }]"), "", &free);
    insta::assert_snapshot!(said);
    let sensitive = read_study_text(
        "study",
        &format!(
            "study = {{ kind = \"sensitivity\", samples = 64 }}\n\
             method = {{ name = \"staggered\", step = 0.01, steps = 100 }}\n[ensemble.vary]\n{both}{}",
            together(pair, "0.5")
        ),
        &free,
    );
    let said = sensitive.expect_err("inputs are independent").to_string();
    assert!(
        said.contains("ensemble.correlated: the inputs of a sensitivity study are drawn independently"),
        "{said}"
    );
}

#[test]
fn a_constant_given_beside_the_file_moves_all_that_follows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("study.toml");
    std::fs::write(folder.path().join("mechanism.toml"), PENDULUM).unwrap();
    std::fs::write(
        &file,
        "mechanism = \"mechanism.toml\"\n\
         method = { name = \"rk4\", step = 0.01, steps = 10 }\n\
         ensemble.size = 1\n",
    )
    .unwrap();
    let mass_with = |setting: &str| {
        let study = read_study_with(&file, &[setting.parse().unwrap()]);
        let study = study.unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(Model::start_summary(&study).as_deref(), Some("assembled as given"));
        // Others are assembled from what they draw, which the start of the mechanism does not show.
        let drawn = "ensemble.vary.\"constants.rho\"={uniform=\"±5 %\"}".parse().unwrap();
        let varied = read_study_with(&file, &[drawn]).unwrap_or_else(|problems| panic!("{problems}"));
        let said = Model::start_summary(&varied).unwrap();
        assert!(
            said.starts_with("the mechanism as described is assembled as given; each instance"),
            "{said}"
        );
        // The resolved study has the value too.
        let again = folder.path().join("resolved.toml");
        std::fs::write(&again, resolved_toml(&study)).unwrap();
        assert_eq!(polhode::study_file::read_study(&again).unwrap(), study);
        study.mechanism.bodies[0].mass
    };
    let twice = mass_with("mechanism.constants.rho=3900") * 2.0 / mass_with("mechanism.constants.rho=7800");
    assert!((twice - 1.0).abs() < 1e-15, "{twice}");
}

/// The examples of `docs/parameters.md`: a mechanism, then parts of a study of it, then parts of
/// others.
#[test]
fn examples_of_the_page_are_read() {
    let page = std::fs::read_to_string(root().join("docs/parameters.md")).unwrap();
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [mechanism, together, matrix, mixture, bob] = blocks[..] else { panic!("{} examples", blocks.len()) };
    let method = "method = { name = \"rk4\", step = 1e-4, steps = 10 }\nensemble.size = 10\n";
    let read = |study: String, mechanism: &str| {
        read_study_text("page", &format!("{method}{study}"), mechanism)
            .unwrap_or_else(|problems| panic!("{problems}\n{study}"))
    };
    let study = read(together.to_string(), mechanism);
    assert!(plan(&study).is_ok());
    assert!(
        plan(&read("[ensemble.vary]\n\"constants.h\" = { uniform = \"±5 %\" }\n".to_string(), mechanism))
            .is_ok()
    );
    let arm = "[body]\nname = \"arm\"\nmass = 1\ninertia = [1, 1, 1]\n[[drag]]\nname = \"air\"\nlinear = 1\n\
               [[spring]]\nname = \"coil\"\nbodies = [\"ground\", \"arm\"]\npoints = [[0, 0, 1], [0, 0, 0]]\n\
               stiffness = 1\n";
    let drawn = ["arm.mass", "coil.stiffness", "air.linear"]
        .map(|key| format!("\"{key}\" = {{ normal = {{ relative_std = 0.1 }} }}\n"));
    read(format!("[ensemble.vary]\n{}{matrix}", drawn.concat()), arm);
    read(format!("[ensemble.vary]\n{mixture}"), &format!("constants.alpha = 12e-6\n{arm}"));
    let bob = &mechanism_of_text("page", bob).unwrap().bodies[0];
    assert!(bob.is_point && bob.mass == 2.0);
}

/// Studies of every kind over constants from which numbers follow: a mass that is twice a constant
/// moves, to the bit, as one that is drawn twice as large.
#[test]
fn studies_of_every_kind_take_constants_as_they_take_the_numbers_that_follow() {
    let mechanism = |constants: &str, mass: &str, stiffness: &str| {
        format!(
            "gravity = 10\n{constants}\n[[body]]\nname = \"bob\"\nmass = {mass}\ninertia = [0.5, 0.5, 0.5]\n\
             centre_of_mass = [0, 0, -1]\n\
             [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"bob\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.5\n\
             [[joint_spring]]\nname = \"coil\"\njoint = \"hinge\"\nstiffness = {stiffness}\ndamping = 0.1\n"
        )
    };
    // The mechanism, what varies of it, and from where: twice the one constant is the mass, four
    // times the other the stiffness.
    let sides = [
        (
            mechanism("[constants]\na = 1\nb = 2", "\"2*a\"", "\"4*b\""),
            ["constants.a", "constants.b"],
            [0.5, 2.0],
        ),
        (mechanism("", "2", "8"), ["bob.mass", "coil.stiffness"], [1.0, 8.0]),
    ];
    let stepped = "method = { name = \"rk4\", step = 0.01, steps = 200 }\nobserve.every = 50\n\
                   run = { backend = \"cpu\", precision = \"f64\" }";
    for (kind, asked, rest) in [
        ("monte_carlo", "", stepped),
        ("lyapunov", "exponents = 2", stepped),
        ("sensitivity", "method = \"sobol\"\nsamples = 64", stepped),
        ("stability_map", "x = \"method.step\"\ny = \"STIFFNESS\"", stepped),
        ("modes", "", ""),
        ("static", "", ""),
    ] {
        let numbers = sides.each_ref().map(|(mechanism, [mass, stiffness], lows)| {
            let [m, k] = lows.map(|low| format!("low = {low:?}, high = {:?}", 2.0 * low));
            let vary = match kind {
                "stability_map" => format!(
                    "\"method.step\" = {{ linspace = {{ from = 0.02, to = 0.4, count = 11 }} }}\n\
                     \"{stiffness}\" = {{ linspace = {{ from = {:?}, to = {:?}, count = 9 }} }}",
                    lows[1],
                    64.0 * lows[1]
                ),
                _ => format!(
                    "\"{mass}\" = {{ uniform = {{ {m} }} }}\n\"{stiffness}\" = {{ uniform = {{ {k} }} }}"
                ),
            };
            let size =
                if matches!(kind, "sensitivity" | "stability_map") { "" } else { "ensemble.size = 12" };
            let keys = asked.replace("STIFFNESS", stiffness);
            let text =
                format!("{rest}\n{size}\n[study]\nkind = \"{kind}\"\n{keys}\n[ensemble.vary]\n{vary}\n");
            let study = read_study_text("study", &text, mechanism)
                .unwrap_or_else(|problems| panic!("{problems}\n{text}"));
            let results = run(&study, &RunOptions::new()).unwrap_or_else(|error| panic!("{kind}: {error}"));
            results_of(&results, &[mass, stiffness])
        });
        let [by_constants, by_numbers] = numbers;
        let count: usize = by_constants.iter().map(|(_, column)| column.len()).sum();
        assert!(count > 50, "{kind}");
        assert_eq!(by_constants.len(), by_numbers.len(), "{kind}");
        for ((name, a), (_, b)) in by_constants.iter().zip(&by_numbers) {
            assert!(a == b, "{kind}, {name}");
        }
    }
}

/// The numbers of all tables but what was drawn: by table and column, as bits.
fn results_of(results: &Results, drawn: &[&str]) -> Vec<(String, Vec<Option<u64>>)> {
    let mut all = Vec::new();
    for name in results.tables() {
        for batch in results.table(name).unwrap() {
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                // The axis of a map is one of them.
                let is_drawn = ["y", "y_shown"].contains(&field.name().as_str())
                    || drawn.iter().any(|drawn| field.name().ends_with(drawn));
                if let Some(column) = column.as_any().downcast_ref::<arrow_array::Float64Array>()
                    && !is_drawn
                {
                    let bits = column.iter().map(|x| x.map(f64::to_bits)).collect();
                    all.push((format!("{name}.{}", field.name()), bits));
                }
            }
        }
    }
    all
}

/// Sides of every sort of element, and elements that stand as their bodies do at the start.
const JOINED: &str = "gravity = 9.81\n[constants]\na = 0.3\nb = 0.2\nk = 30\nu = 0.1\n\
    [[body]]\nname = \"arm\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\n\
    initial = { position = [0, 0, \"-a\"] }\n\
    [[body]]\nname = \"tip\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
    initial = { position = [1, 0, 0], attitude = { axis = [0, 0, 1], angle = \"b\" } }\n\
    [[body]]\nname = \"sled\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n\
    [[joint]]\nname = \"tether\"\nkind = \"distance\"\nbodies = [\"ground\", \"arm\"]\n\
    points = [[0, 0, 0], [0, 0, 0.05]]\n\
    [[joint]]\nname = \"floor\"\nkind = \"planar_point\"\nbodies = [\"ground\", \"tip\"]\n\
    points = [[1, 0, 0], [0, 0, 0]]\naxes = [0, 0, 1]\n\
    [[bushing]]\nname = \"mount\"\nbodies = [\"ground\", \"tip\"]\n\
    points = [[\"1 + b\", 0, 0], [0, \"u\", 0]]\naxes = [[\"u\", 0, 1], [0, 0, 1]]\n\
    stiffness = [\"k\", 1, \"2*k\"]\ntorsional_stiffness = 1\n\
    [[contact]]\nname = \"skate\"\nkind = \"knife_edge\"\nbody = \"sled\"\n\
    point = [\"u\", 0, 0]\ndirection = [0, 1, 0]\n\
    [[generator]]\nname = \"drive\"\nbody = \"sled\"\npoint = [0, 0, \"b\"]\n\
    position = [\"free\", \"free\", \"0.2*cos(t)\"]\n\
    [[beam_element]]\nname = \"rod\"\nbodies = [\"arm\", \"tip\"]\n\
    points = [[0, 0, \"u\"], [0, 0, 0]]\naxes = [1, 0, 0]\nlength = 1\nEA = \"100*k\"\n\
    GA = 100\nGJ = 1\nEI = [1, \"k\"]\n\
    [[point]]\nname = \"eye\"\nbody = \"tip\"\nat = [\"u\", 0, 0]\n\
    [[load]]\nname = \"law\"\nbody = \"tip\"\nkind = \"force\"\naxes = \"space\"\n\
    point = [0, \"u\", 0]\nfunction = [\"-eye.position.x\", 0, 0]\n";

/// With other constants only what follows from them is read again: it comes to what the whole text
/// comes to with them written in. Each constant by itself, and all together, of a mechanism with
/// every sort of part and of those that are shipped.
#[test]
fn what_is_read_again_is_what_the_whole_comes_to() {
    let parts = "gravity = [0, \"g/10\", \"-g\"]\n\
        [constants]\ng = 9.81\nm = 2\nl = \"0.5 m\"\nw = \"l/10\"\nk = 30\nd = 0.1\nz = 0.2\nq = 3\n\
        [[body]]\nname = \"arm\"\nsolid = { box = [\"w\", \"w\", \"l\"], mass = \"m\" }\n\
        [[body]]\nname = \"bob\"\nmass = \"m/2\"\ninertia = [0.1, 0.1, 0.1]\n\
        [[body]]\nname = \"still\"\nmass = 1\ninertia = [1, 1, 1]\ninitial = { position = [0, 0, \"3*z\"] }\n\
        [[body]]\nname = \"rod\"\n[body.flexible]\ndamping = \"d\"\n\
        beam = { length = 1, mass = 0.5, polar_inertia = 2e-4, bending_stiffness = 4, \
                 modes_y = 2, modes_z = 1 }\n\
        [[beam]]\nname = \"cane\"\nfrom = [0, 5, 0]\nto = [1, 5, 0]\nelements = 2\nclamped = \"from\"\n\
        EA = 1e5\nGA = 1e5\nGJ = 10\nEI = 10\nmass_per_length = 0.2\nrotary_inertia = 1e-5\n\
        [[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"arm\"]\n\
        points = [[0, 0, 0], [0, 0, 0.2]]\naxes = [0, 1, 0]\nangle = \"z\"\n\
        [[joint]]\nname = \"string\"\nkind = \"distance\"\nbodies = [\"arm\", \"bob\"]\n\
        points = [[0, 0, -0.2], [0, 0, 0]]\nlength = 0.4\n\
        [[point]]\nname = \"tip\"\nbody = \"arm\"\nat = [0, 0, \"-l/2\"]\n\
        [[point]]\nname = \"eye\"\nbody = \"still\"\nat = [0, 0, 1]\n\
        [[signal]]\nname = \"pull\"\nvalue = \"q*tip.position.x - eye.velocity.z\"\nunit = \"N\"\n\
        [[state]]\nname = \"lag\"\nrate = \"(tip.velocity.x - lag)/0.1\"\nunit = \"m/s\"\ninitial = \"z\"\n\
        [[joint_spring]]\nname = \"coil\"\njoint = \"hinge\"\nstiffness = \"k\"\ndamping = 0.1\n\
        [[spring]]\nname = \"tie\"\nbodies = [\"ground\", \"still\"]\npoints = [[1, 0, 0], [0, 0, 0]]\n\
        stiffness = 4\n\
        [[line_actuator]]\nname = \"muscle\"\nbodies = [\"ground\", \"still\"]\n\
        points = [[1, 0, 0], [0, 0, 0]]\nforce = \"0.1*lag\"\n\
        [[spring]]\nname = \"other\"\nbodies = [\"ground\", \"bob\"]\npoints = [[1, 0, 0], [0, 0, 0]]\n\
        stiffness = \"k/2\"\nfree_length = 1\n[[drag]]\nname = \"air\"\nbody = \"bob\"\nlinear = \"d\"\n\
        [[lock]]\nname = \"catch\"\njoint = \"hinge\"\nat = \"z/2 - 2\"\n\
        [[load]]\nname = \"push\"\nbody = \"bob\"\nkind = \"force\"\naxes = \"space\"\n\
        value = [\"k/10\", 0, 1]\n\
        [[load]]\nname = \"law\"\nbody = \"still\"\nkind = \"force\"\naxes = \"space\"\n\
        function = [\"pull\", 0, \"-q*t\"]\n";
    let folder = root().join("mechanisms");
    let mut texts = vec![parts.to_string(), JOINED.to_string()];
    for file in std::fs::read_dir(folder).unwrap() {
        texts.push(std::fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let (mut compared, mut varying) = (0, 0);
    for (which, text) in texts.iter().enumerate() {
        let mechanism = match mechanism_of_text("parts", text) {
            Ok(mechanism) => mechanism,
            // Some name files beside them, and have no expressions.
            Err(problems) => {
                assert!(which > 1, "{problems}");
                continue;
            }
        };
        let Some(linked) = &mechanism.linked else { continue };
        let is_common = |k: usize| {
            let constants = [k];
            mechanism.decided(&constants).any(|decided| matches!(decided, Decided::Common(_)))
        };
        let dependent: Vec<usize> =
            (0..mechanism.constants.len()).filter(|k| linked.follows(*k) && !is_common(*k)).collect();
        let alone = dependent.iter().map(|k| vec![*k]);
        for others in alone.chain([dependent.clone()]) {
            let mut given = vec![None; mechanism.constants.len()];
            let mut written: toml::Table = linked.recipe.text().parse().unwrap();
            for &k in &others {
                let value = 1.01 * mechanism.constants[k].value;
                given[k] = Some(value);
                let constants = written["constants"].as_table_mut().unwrap();
                let unit = &mechanism.constants[k].unit;
                let of_unit = toml::Value::String(format!("{value:?} {unit}"));
                let of_number = toml::Value::Float(value);
                constants.insert(
                    mechanism.constants[k].name.clone(),
                    if unit == "1" { of_number } else { of_unit },
                );
            }
            let mut again = Mechanism { linked: None, ..mechanism.clone() };
            linked.recipe.make(&mut again, &given).unwrap();
            let mut whole = mechanism_of_text("parts", &written.to_string()).unwrap();
            whole.linked = None;
            assert_eq!(again, whole, "{others:?} of {}", mechanism.name);
            compared += 1;
            let is_planned = is_planned(&mechanism, &others, text, &given);
            assert!(is_planned || which != 1);
            varying += usize::from(is_planned);
        }
    }
    println!("{compared} mechanisms, {varying} of them planned");
    assert!(compared > 15 && varying > 15, "{compared} {varying}");
}

/// Whether a study that varies these constants is planned; then all parameters that differ in an
/// instance with other values of them are such as vary.
fn is_planned(mechanism: &Mechanism, constants: &[usize], text: &str, given: &[Option<f64>]) -> bool {
    let vary =
        |k: &usize| format!("\"constants.{}\" = {{ uniform = \"±1 %\" }}\n", mechanism.constants[*k].name);
    let vary: String = constants.iter().filter(|k| mechanism.constants[**k].value != 0.0).map(vary).collect();
    let study = format!(
        "method = {{ name = \"staggered\", step = 1e-4, steps = 1 }}\nensemble.size = 4\n[ensemble.vary]\n\
         {vary}"
    );
    let Ok(study) = read_study_text("study", &study, text) else { return false };
    let Ok(plan) = plan(&study) else { return false };
    let resolved = |quantities: &Quantities| {
        let mut parameters = plan.constants.clone();
        plan.model.resolve(quantities, &mut parameters).ok().map(|_| parameters)
    };
    let mut quantities = Quantities::nominal(&study);
    let Some(one) = resolved(&quantities) else { return false };
    given
        .iter()
        .enumerate()
        .for_each(|(k, value)| quantities.numbers[k] = value.unwrap_or(quantities.numbers[k]));
    let Some(other) = resolved(&quantities) else { return false };
    let energy = plan.model.start_energy()..plan.model.start_energy() + 2;
    // Where bodies begin that something moves is part of their start, and no parameter of a step.
    let is_origin = |p: usize| {
        let (body, part) = (p / BodyParameter::BLOCK, p % BodyParameter::BLOCK);
        body < plan.model.bodies() && part >= BodyParameter::ORIGIN && plan.moving[body * WIDTH + AT_REST]
    };
    for p in (0..one.len()).filter(|p| one[*p].to_bits() != other[*p].to_bits()) {
        let name = plan.model.parameter_name(p);
        let varies = plan.model.varies(p) || energy.contains(&p) || is_origin(p);
        assert!(
            varies,
            "{name} follows from {constants:?} of {} and is taken for a constant",
            mechanism.name
        );
    }
    true
}
