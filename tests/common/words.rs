//! A mechanism whose laws use every function that expressions know, vectors, attitudes and units.

/// Text that comes after `two_arms` with hinges about e2.
pub const WORDS: &str = r#"
[mechanism.constants]
stretch = "3 cm"
[[mechanism.point]]
name = "tip"
body = "lower"
at = [0.5, 0.1, 0.2]
[[mechanism.signal]]
name = "lean"
value = "tilt(lower.attitude, [1, 0, 0.2], [0.3, 0.1, 1])"
unit = "rad"
[[mechanism.signal]]
name = "bend"
value = """atan2(tip.position.z + stretch, 3 + tip.position.x) \
  + asin(0.4*sin(elbow.angle)) + acos(0.3*cos(shoulder.angle))"""
unit = "rad"
[[mechanism.signal]]
name = "strain"
value = """log(2 + norm(tip.velocity - [0, 1, 0])) \
  + (1.5 + cos(elbow.angle))^(1 + 0.3*sin(3*t)) + (tip.position.z^2 + 0.1)^1.5"""
[[mechanism.load]]
name = "pull"
body = "lower"
kind = "force"
axes = "space"
function = """0.3*cross(lower.angular_velocity, [1, 2, 0.5]) + lean*[0.2, 0, -0.1] \
  - rotate(lower.attitude, [0, 0, 0.1])*dot(tip.velocity, [1, 0, 0]) \
  - rotate(inverse(upper.attitude), tip.velocity)/20"""
[[mechanism.joint_spring]]
name = "motor"
joint = "elbow"
actuator = "0.4*bend - 0.2*strain - 5 N m*(elbow.angle - 10 deg)"
"#;

/// A law that jumps with the motion and with time.
pub const SIGNS: &str = r#"
[[mechanism.joint_spring]]
name = "relay"
joint = "shoulder"
actuator = "0.2*sign(sin(40*t)) - 0.1*sign(elbow.angle - 11 deg)"
"#;

/// Tables that the motion passes through: smooth ones.
pub const TABLES: &str = r#"
[[mechanism.table]]
name = "cam"
arguments = { value = [-60, -10, 5, 20, 90], unit = "deg" }
values = ["0 N m", "0.3 N m", "0.4 N m", "-0.5 N m", "-0.6 N m"]
interpolation = "monotone"
[[mechanism.table]]
name = "bump"
arguments = [-1, 0, 0.4, 1.2]
values = [0, 0.3, -0.2, 0.1]
[[mechanism.joint_spring]]
name = "camshaft"
joint = "shoulder"
actuator = "cam(elbow.angle) + 0.5*bump(sin(shoulder.angle) + 0.1)"
"#;

/// Tables that bend and jump, of the motion and of time.
pub const BENT: &str = r#"
[[mechanism.table]]
name = "ramp"
arguments = [-0.02, 0.013, 0.3]
values = [1, -1, 2]
interpolation = "linear"
[[mechanism.table]]
name = "stairs"
arguments = [-0.02, 0.013, 0.3]
values = [1, -1, 2]
interpolation = "hold"
[[mechanism.joint_spring]]
name = "bent"
joint = "shoulder"
actuator = "0.1*ramp(elbow.angle) + 0.1*stairs(shoulder.angle)"
[[mechanism.joint_spring]]
name = "recorded"
joint = "elbow"
actuator = { table = { times = [0, 0.0511, 0.111], values = [0, 0.2, -0.1], interpolation = "linear" } }
"#;

/// States that are sampled: a unit delay, and a filter of a sampled signal.
pub const SAMPLED: &str = r#"
[[mechanism.state]]
name = "delayed"
next = "elbow.angle"
initial = "3*stretch"
every = "6 ms"
[[mechanism.state]]
name = "filtered"
next = "0.7*filtered + 0.2*seen - 0.1*delayed"
every = "10 ms"
[[mechanism.signal]]
name = "seen"
value = "elbow.angle_rate + filtered"
every = "6 ms"
[[mechanism.joint_spring]]
name = "computer"
joint = "elbow"
actuator = "-0.3*delayed - 0.05*filtered"
"#;
