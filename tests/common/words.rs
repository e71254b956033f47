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
value = "atan2(tip.position.z + stretch, 3 + tip.position.x) + asin(0.4*sin(elbow.angle)) + acos(0.3*cos(shoulder.angle))"
unit = "rad"
[[mechanism.signal]]
name = "strain"
value = "log(2 + norm(tip.velocity - [0, 1, 0])) + (1.5 + cos(elbow.angle))^(1 + 0.3*sin(3*t)) + (tip.position.z^2 + 0.1)^1.5"
[[mechanism.load]]
name = "pull"
body = "lower"
kind = "force"
axes = "space"
function = "0.3*cross(lower.angular_velocity, [1, 2, 0.5]) + lean*[0.2, 0, -0.1] - rotate(lower.attitude, [0, 0, 0.1])*dot(tip.velocity, [1, 0, 0]) - rotate(inverse(upper.attitude), tip.velocity)/20"
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
