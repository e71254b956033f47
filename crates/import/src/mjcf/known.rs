//! The attributes of MJCF elements that may change a motion: those that are read, and those that
//! are known to change nothing (or nothing but contact, which is reported as a whole).

use crate::fault::{Feature, Findings, NotePlace};
use crate::xml::XmlElement;

/// All elements that say something of actuators; in defaults each of them holds for all.
pub(super) const ACTUATORS: [&str; 13] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "orientation",
    "pid",
    "plugin",
];

/// An element's attributes: with a meaning here, and without one.
struct Known {
    element: &'static str,
    read: &'static str,
    idle: &'static str,
}

const ORIENTATION: &str = "pos quat axisangle xyaxes zaxis euler";

const KNOWN: &[Known] = &[
    Known {
        element: "compiler",
        read: "angle eulerseq autolimits coordinate inertiafromgeom inertiagrouprange boundmass boundinertia \
               balanceinertia settotalmass alignfree",
        idle: "fusestatic discardvisual strippath meshdir texturedir assetdir usethread saveinertial \
               convexhull fitaabb exactmeshinertia conflict",
    },
    Known {
        element: "option",
        read: "timestep gravity wind density viscosity integrator actuatorgroupdisable",
        idle: "apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance \
               sleep_tolerance magnetic o_margin o_solref o_solimp o_friction collision cone jacobian solver \
               iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations \
               sdf_initpoints",
    },
    Known {
        element: "flag",
        read: "constraint equality frictionloss limit contact passive spring damper gravity clampctrl \
               filterparent actuation override",
        idle: "warmstart refsafe sensor midphase nativeccd eulerdamp autoreset energy fwdinv invdiscrete \
               multiccd island sensornoise sleep diagexact",
    },
    Known { element: "body", read: "name childclass mocap gravcomp", idle: "user sleep" },
    Known { element: "frame", read: "childclass", idle: "name" },
    Known { element: "replicate", read: "count offset euler sep", idle: "" },
    Known { element: "inertial", read: "mass diaginertia fullinertia", idle: "class" },
    Known {
        element: "joint",
        read: "name class type pos axis springdamper stiffness range limited actuatorfrcrange \
               actuatorfrclimited solreflimit margin ref springref armature damping frictionloss \
               actuatorgravcomp align",
        idle: "group user solimplimit solreffriction solimpfriction",
    },
    Known { element: "freejoint", read: "name align", idle: "group" },
    Known {
        element: "geom",
        read: "name class type contype conaffinity group size mass density shellinertia fromto mesh \
               fluidshape",
        idle: "condim priority user friction solmix solref solimp margin gap rgba material hfield fitscale \
               fluidcoef surface adhesion",
    },
    Known { element: "site", read: "name class fromto", idle: "type group material size rgba user" },
    Known {
        element: "general",
        read: "name class diameter area bias joint jointinparent tendon slidersite cranksite site refsite \
               body gear cranklength ctrllimited forcelimited actlimited ctrlrange forcerange actrange \
               dyntype gaintype biastype dynprm gainprm biasprm kp kv dampratio timeconst inheritrange \
               lengthrange actdim delay nsample interp armature damping",
        idle: "group user actearly input",
    },
    Known {
        element: "tendon",
        read: "name class stiffness damping springlength range limited frictionloss armature",
        idle: "group user material width rgba margin solreflimit solimplimit solreffriction solimpfriction \
               actuatorfrcrange actuatorfrclimited",
    },
    Known {
        element: "equality",
        read: "name class active body1 body2 anchor site1 site2 relpose joint1 joint2 polycoef solref solimp \
               torquescale",
        idle: "group user",
    },
];

/// Reports attributes and children that polhode does not know. `like`: the element whose attributes
/// it has.
pub(super) fn check(element: &XmlElement, like: &str, place: NotePlace, found: &mut Findings) {
    let Some(known) = KNOWN.iter().find(|known| known.element == like) else { return };
    let has_place = matches!(like, "body" | "frame" | "inertial" | "geom" | "site");
    let has = |list: &str, name: &str| list.split(' ').any(|word| word == name);
    for attribute in &element.attributes {
        let name = attribute.name.as_str();
        if has(known.read, name) || has(known.idle, name) || has_place && has(ORIENTATION, name) {
            continue;
        }
        let all = known.read.split(' ').chain(known.idle.split(' '));
        let all: Vec<&str> = all.chain(ORIENTATION.split(' ').filter(|_| has_place)).collect();
        let meant = polhode_description::base::meant(name, all);
        let message = format!("attribute `{name}` of <{}> is not known{meant}", element.name);
        found.lacks(Feature::Unknown, &attribute.at, place, message);
    }
    // These have parts of their own, which their readers know.
    if matches!(like, "option" | "body" | "frame" | "replicate" | "tendon") || element.name == "plugin" {
        return;
    }
    for child in element.children.iter().filter(|child| like != "compiler" || child.name != "lengthrange") {
        let message = format!("<{}> within <{}> is not known", child.name, element.name);
        let feature = if child.name == "plugin" { Feature::Plugin } else { Feature::Unknown };
        found.lacks(feature, &child.at, place, message);
    }
}

/// Reports what a class of defaults says that polhode does not know.
pub(super) fn check_defaults(class: &XmlElement, found: &mut Findings) {
    for element in class.children.iter().filter(|child| child.name != "default") {
        let like = match element.name.as_str() {
            // They show, or are for contact.
            "mesh" | "material" | "camera" | "light" | "pair" => continue,
            // Whatever has such a law is refused as a whole.
            "muscle" | "adhesion" | "dcmotor" | "orientation" | "pid" => continue,
            actuator if ACTUATORS.contains(&actuator) => "general",
            other => other,
        };
        if KNOWN.iter().any(|known| known.element == like) {
            check(element, like, NotePlace::Head, found);
        } else {
            let message = format!("<{}> in a class of defaults is not known", element.name);
            found.lacks(Feature::Unknown, &element.at, NotePlace::Head, message);
        }
    }
}
