//! Links whose moments of inertia are nothing beside mass times length squared, and mechanisms of
//! masses far apart: which rows others imply is a question of geometry.

use crate::common::engine::Ready;
use crate::common::tolerances::LIGHT_LINK;
use polhode::base::Precision;
use polhode::observe::channels;
use polhode::study_file::read_study_text;

fn ready(method: &str, mechanism: &str) -> Ready {
    let study = format!(
        "method = {{ {method} }}\nensemble.size = 1\nrun.precision = \"f64\"\n\
         constraints.treatment = \"exact\"\n"
    );
    Ready::new(read_study_text("light", &study, mechanism).unwrap())
}

/// A rod on a hinge about y, pushed along y: the hinge bears that at an arm of 1 m. The same to
/// five digits from moments of 1e-4 to 1e-12 kg m²; at 5e-11 all rows of rotation had been left
/// out, and the torque had been 5e-4 N m.
#[test]
fn a_hinge_bears_what_pushes_a_rod_without_inertia() {
    let rod = |inertia: f64| {
        format!(
            "gravity = [0, 0, -9.81]\n[[body]]\nname = \"rod\"\nmass = 1\n\
             inertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n\
             centre_of_mass = [0, 0, -1]\n[[joint]]\nname = \"foot\"\nkind = \"revolute\"\n\
             bodies = [\"ground\", \"rod\"]\n\
             points = [[0, 0, 0], [0, 0, 0]]\naxes = [0, 1, 0]\nangle = 0.5\n[[load]]\nname = \"push\"\n\
             body = \"rod\"\nkind = \"force\"\naxes = \"space\"\npoint = [0, 0, -1]\nvalue = [0, 3, 0]\n"
        )
    };
    for inertia in [1e-4, 1e-8, 1e-10, 5e-11, 1e-12] {
        let ready = ready("name = \"rk4\", step = \"2 ms\", duration = \"1 s\"", &rod(inertia));
        assert!(!ready.plan.model.redundancy().any(), "{inertia:e}");
        let torque = ready.observe(&ready.on_cpu(Precision::F64, 1), &[channels::TORQUE]).remove(0);
        println!("{inertia:e}: {torque:?}");
        for (found, want) in torque.iter().zip([-2.634, 0.0, -1.436]) {
            assert!((found - want).abs() < LIGHT_LINK, "{inertia:e}: {torque:?}");
        }
    }
}

/// Chains of links of a milligram to a gram under a tonne, on hinges, ball joints and slides: no
/// row is left out, and none counts as redundant.
#[test]
fn open_chains_have_no_redundant_rows_whatever_their_masses() {
    for light in [1e-2, 1e-3, 1e-6] {
        let kinds = ["revolute", "spherical", "revolute", "translational", "universal"];
        let mut text = String::from("gravity = [0, 0, -9.81]\n");
        for (k, kind) in kinds.iter().enumerate() {
            let mass = if k == 4 { 1000.0 } else { light };
            let inertia = mass * 0.01;
            text += &format!(
                "[[body]]\nname = \"link{k}\"\nmass = {mass:e}\n\
                 inertia = [{inertia:e}, {inertia:e}, {inertia:e}]\ninitial = {{ position = [0, 0, {}] }}\n",
                -(k as f64) - 0.5
            );
            let below = if k == 0 { "ground".to_string() } else { format!("link{}", k - 1) };
            let point = if k == 0 { "[0, 0, 0]" } else { "[0, 0, -0.5]" };
            let axes = match *kind {
                "spherical" => "",
                "universal" => "axes = [[1, 0, 0], [0, 1, 0]]\n",
                "translational" => "axes = [0, 0, 1]\n",
                _ => "axes = [0, 1, 0]\n",
            };
            text += &format!(
                "[[joint]]\nname = \"joint{k}\"\nkind = \"{kind}\"\nbodies = [\"{below}\", \"link{k}\"]\n\
                 points = [{point}, [0, 0, 0.5]]\n{axes}"
            );
        }
        let ready = ready("name = \"rk4\", step = \"1 ms\", duration = \"10 ms\"", &text);
        assert!(!ready.plan.model.redundancy().any(), "{light}: {:?}", ready.plan.model.redundancy());
    }
}
