"""Keys of the files with the types of their values. Made from the JSON Schemas by stubs.py."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Optional, Protocol, Self, TypedDict

__all__ = [
    "linspace", "list", "log_uniform", "logspace", "mixture", "normal", "small_rotation", "table",
    "triangular", "truncated_normal", "uniform", "von_mises_fisher"
]

class Array(Protocol):
    """A number or an array of NumPy, or what is like one."""
    def tolist(self) -> Any: ...

def given(keys: dict[str, Any]) -> dict[str, Any]: ...
def distribution(name: str) -> Callable[..., dict[str, Any]]: ...

Number = Array | float
Integer = Array | int
Quantity = Array | Mapping[str, Any] | float | str
Vector = Array | Mapping[str, Any] | Sequence[Array | float | str]
Quantities = Array | Mapping[str, Any] | Sequence[Array | float | str] | float | str

class MechanismKeys(TypedDict, total=False):
    """Keys of a mechanism, whole lists included."""
    armature: Array | Sequence[Mapping[str, Any]]
    beam: Array | Sequence[Mapping[str, Any]]
    beam_element: Array | Sequence[Mapping[str, Any]]
    body: Array | Mapping[str, Any] | Sequence[Mapping[str, Any]]
    bushing: Array | Sequence[Mapping[str, Any]]
    constants: Mapping[str, Any]
    contact: Array | Sequence[Mapping[str, Any]]
    coupling: Array | Sequence[Mapping[str, Any]]
    drag: Array | Sequence[Mapping[str, Any]]
    friction: Array | Sequence[Mapping[str, Any]]
    generator: Array | Sequence[Mapping[str, Any]]
    gravity: Quantities
    group: Array | Sequence[Mapping[str, Any]]
    joint: Array | Sequence[Mapping[str, Any]]
    joint_friction: Array | Sequence[Mapping[str, Any]]
    joint_spring: Array | Sequence[Mapping[str, Any]]
    line_actuator: Array | Sequence[Mapping[str, Any]]
    load: Array | Sequence[Mapping[str, Any]]
    lock: Array | Sequence[Mapping[str, Any]]
    point: Array | Sequence[Mapping[str, Any]]
    signal: Array | Sequence[Mapping[str, Any]]
    spring: Array | Sequence[Mapping[str, Any]]
    state: Array | Sequence[Mapping[str, Any]]
    stop: Array | Sequence[Mapping[str, Any]]
    table: Array | Sequence[Mapping[str, Any]]
    wheel: Array | Sequence[Mapping[str, Any]]

class MechanismParts:
    """A mechanism: rigid bodies, their supports, what keeps or drives them, and what acts on them."""
    def armature(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        inertia: Quantity,
    ) -> Self:
        """Inertia that moves with a joint's coordinate s and is no body's, such as a rotor's: -inertia
        d²s/dt²."""
        ...
    def beam(
        self, name: str | None = None, *,
        from_: Vector = ...,
        to: Vector = ...,
        direction: Vector = ...,
        length: Quantity = ...,
        reference: Vector = ...,
        elements: Integer = ...,
        EA: Quantity = ...,
        GA: Quantities = ...,
        GJ: Quantity = ...,
        EI: Quantities = ...,
        mass_per_length: Quantity = ...,
        rotary_inertia: Quantities = ...,
        material: Mapping[str, Any] = ...,
        section: Mapping[str, Any] = ...,
        damping: Quantity = ...,
        clamped: Literal["both", "from", "none", "to"] = ...,
        velocity: Vector = ...,
        angular_velocity: Vector = ...,
    ) -> Self:
        """A straight beam, cut into elements. Its nodes are bodies named NAME.0, at `from`, to NAME.n, at
        `to`; joints, generators and loads name them like other bodies. Exactly one of `to` and `direction` is
        given."""
        ...
    def beam_element(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        EA: Quantity = ...,
        GA: Quantities = ...,
        GJ: Quantity = ...,
        EI: Quantities = ...,
        material: Mapping[str, Any] = ...,
        section: Mapping[str, Any] = ...,
        damping: Quantity = ...,
    ) -> Self:
        """A beam element between two bodies: strains are constant along it, rotations of any size. Nothing
        acts where the frames coincide and point B is `length` ahead of point A along their x."""
        ...
    def body(
        self, name: str | None = None, *,
        mass: Quantity = ...,
        inertia: Array | Mapping[str, Any] | Sequence[Array | Sequence[Array | float | str]] | Sequence[Array
            | float | str] = ...,
        inertia_axes: Vector = ...,
        inertia_about: Literal["mass_centre", "origin"] = ...,
        centre_of_mass: Vector = ...,
        support: Literal["fixed_point", "free"] = ...,
        initial: Mapping[str, Any] = ...,
        flexible: Mapping[str, Any] = ...,
        solid: Array | Mapping[str, Any] | Sequence[Mapping[str, Any]] = ...,
    ) -> Self:
        """A rigid body, described in body axes, which need not be principal. A flexible body, which has the
        mass and inertia of its modal data. A rigid body by its shape: mass, mass centre and inertia are those
        of its solids."""
        ...
    def bushing(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        stiffness: Quantities = ...,
        damping: Quantities = ...,
        torsional_stiffness: Quantities = ...,
        torsional_damping: Quantities = ...,
    ) -> Self:
        """Springs and dampers in all directions between two frames; nothing acts where they coincide."""
        ...
    def contact(
        self, name: str | None = None, *,
        kind: Literal["curve", "knife_edge", "rolling"],
        body: str = ...,
        point: Array | Mapping[str, Any] | Sequence[Array | float | str] | str = ...,
        radius: Quantity = ...,
        plane: Vector = ...,
        normal: Vector = ...,
        direction: Vector = ...,
        y: Quantity = ...,
    ) -> Self:
        """A sphere rolls on a plane of the ground without slipping. A point of a body does not move along a
        direction fixed in the body: a skate, a wheel. A point of a body stays on the curve y = y(x) of space;
        z is free."""
        ...
    def coupling(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        follows: str,
        follows_coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z",
            "displacement"] = ...,
        ratio: Quantity = ...,
        offset: Array | float | str = ...,
        value: Quantity = ...,
    ) -> Self:
        """A coupling: one coordinate s of a joint is a function of another x, as by gears, racks, screws and
        pulleys. Exactly one of `ratio` and `value` is given."""
        ...
    def cylindrical(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def distance(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def drag(
        self, name: str | None = None, *,
        body: str = ...,
        linear: Quantity = ...,
        quadratic: Quantity = ...,
        angular_linear: Quantity = ...,
        angular_quadratic: Quantity = ...,
    ) -> Self:
        """Resistance at a body's mass centre: the force -(linear + quadratic |v|) v and the torque
        -(angular_linear + angular_quadratic |w|) w."""
        ...
    def fixed(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def friction(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        force: Quantity,
        rate: Quantity,
    ) -> Self:
        """Dry friction along the line between two points: -force tanh(dl/dt / rate), l their distance;
        positive pushes them apart."""
        ...
    def generator(
        self, name: str | None = None, *,
        joint: str = ...,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        value: Quantity = ...,
        body: str = ...,
        point: Array | Mapping[str, Any] | Sequence[Array | float | str] | str = ...,
        position: Array | Sequence[Quantity] = ...,
        velocity: Array | Sequence[Quantity] = ...,
    ) -> Self:
        """A prescribed motion: of a joint's coordinate, or of a point of a body. Exactly one of `joint` and
        `body` is given."""
        ...
    def group(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
    ) -> Self:
        """Bodies whose momentum is asked for: channels use NAME.linear_momentum and NAME.angular_momentum,
        about their mass centre."""
        ...
    def joint_friction(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        force: Quantity,
        rate: Quantity,
    ) -> Self:
        """Dry friction in a joint: -force tanh(ds/dt / rate), s the coordinate."""
        ...
    def joint_spring(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        stiffness: Quantity = ...,
        damping: Quantity = ...,
        rest: Quantity = ...,
        actuator: Quantity = ...,
    ) -> Self:
        """A torque about, or force along, a joint's axis: -stiffness (s - rest) - damping ds/dt + actuator, s
        the coordinate."""
        ...
    def line_actuator(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        force: Quantity = ...,
    ) -> Self:
        """A force along the line between two points, any function of time and motion; positive pushes them
        apart."""
        ...
    def load(
        self, name: str | None = None, *,
        body: str = ...,
        kind: Literal["force", "torque"],
        axes: Literal["body", "space"],
        point: Array | Mapping[str, Any] | Sequence[Array | float | str] | str = ...,
        value: Vector = ...,
        pieces: Array | Sequence[Mapping[str, Any]] = ...,
        function: Array | Sequence[Quantity] | str = ...,
    ) -> Self:
        """A force or torque. Exactly one of `value`, `pieces` and `function` is given."""
        ...
    def lock(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        at: Quantity,
        release: Quantity = ...,
    ) -> Self:
        """A joint's coordinate is caught where it passes a value, and held from there on."""
        ...
    def planar(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def planar_point(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def point(
        self, name: str | None = None, *,
        body: str = ...,
        at: Array | Mapping[str, Any] | Sequence[Array | float | str] | str,
    ) -> Self:
        """A point of a body that has a name: expressions and channels use NAME.position and NAME.velocity."""
        ...
    def revolute(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def signal(
        self, name: str | None = None, *,
        value: Quantity,
        unit: str = ...,
        every: Quantity = ...,
    ) -> Self:
        """An expression of time and motion that has a name: other expressions use NAME, channels
        NAME.value."""
        ...
    def slot(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def spherical(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def spring(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        stiffness: Quantity = ...,
        damping: Quantity = ...,
        free_length: Quantity = ...,
        actuator: Quantity = ...,
    ) -> Self:
        """A force along the line between two points, -stiffness (l - free_length) - damping dl/dt + actuator;
        positive pushes them apart."""
        ...
    def state(
        self, name: str | None = None, *,
        rate: Quantity = ...,
        next: Quantity = ...,
        every: Quantity = ...,
        initial: Array | float | str = ...,
        unit: str = ...,
    ) -> Self:
        """A state of a law: dz/dt = rate, or with `every` z(k+1) = next. An integral, a filter, an actuator
        with a lag, a delay. Expressions and channels use NAME."""
        ...
    def stop(
        self, name: str | None = None, *,
        joint: str,
        coordinate: Literal["angle", "angle_a", "angle_b", "angle_x", "angle_y", "angle_z", "displacement"] =
            ...,
        low: Quantity = ...,
        high: Quantity = ...,
        stiffness: Quantity,
        damping: Quantity = ...,
        dissipation: Quantity = ...,
    ) -> Self:
        """A spring and damper that act where a joint's coordinate is outside `low` to `high`. At least one of
        the two is given."""
        ...
    def table(
        self, name: str | None = None, *,
        arguments: Vector = ...,
        values: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        slopes: Array | Sequence[Array | Sequence[Array | float | str]] | Sequence[Array | float | str] = ...,
        interpolation: Literal["cubic", "hold", "linear", "monotone"] = ...,
        file: str = ...,
        argument: str = ...,
        column: Array | Sequence[str] | str = ...,
    ) -> Self:
        """A function that expressions call, NAME(x), given by values; constant before and after. Either
        `arguments` and `values`, or `file`, `argument` and `column`."""
        ...
    def translational(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def universal(
        self, name: str | None = None, *between: str,
        bodies: Array | Sequence[str] = ...,
        points: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | str],
        axes: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        references: Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Vector] = ...,
        length: Quantity = ...,
        angle: Quantity = ...,
        angular_velocity: Quantity = ...,
        displacement: Quantity = ...,
        velocity: Quantity = ...,
        angle_a: Quantity = ...,
        angle_a_rate: Quantity = ...,
        angle_b: Quantity = ...,
        angle_b_rate: Quantity = ...,
        angle_x: Quantity = ...,
        angle_x_rate: Quantity = ...,
        angle_y: Quantity = ...,
        angle_y_rate: Quantity = ...,
        angle_z: Quantity = ...,
        angle_z_rate: Quantity = ...,
        approximate: bool = ...,
    ) -> Self:
        """A joint between two bodies, or a body and the ground. At the start it must hold."""
        ...
    def wheel(
        self, name: str | None = None, *,
        body: str = ...,
        axis: Quantities,
        inertia: Quantity,
        speed: Quantity = ...,
        damping: Quantity = ...,
        max_torque: Quantity = ...,
        max_speed: Quantity = ...,
        torque: Quantity = ...,
    ) -> Self:
        """A wheel that spins about an axis fixed in a rigid body, with its motor. Mass, and inertia across
        the axis, belong to the body; the body's inertia about the axis is without the wheel's. Expressions
        and channels use NAME.speed (against the body) and NAME.momentum (with the body's turn); outcomes and
        channels NAME.torque (of the motor)."""
        ...

class StudyKeys(TypedDict, total=False):
    """Keys of a study that may stand without their table, and the tables. None leaves a key out."""
    absolute: Optional[Number]
    accuracy: Optional[Array | Literal["statistical"] | Mapping[str, Any] | float]
    alpha: Optional[Number]
    as_printed: Optional[bool]
    at: Optional[Quantity]
    at_end: Optional[bool]
    backend: Optional[str]
    beta: Optional[Number]
    bisect: Optional[Number]
    channels: Optional[Array | Sequence[str]]
    checkpoint: Optional[Quantity]
    chunk: Optional[Integer]
    compare: Optional[Array | Sequence[Mapping[str, Any]]]
    constraint: Optional[Array | Literal["none"] | float]
    constraints: Optional[Mapping[str, Any]]
    corrected: Optional[bool]
    correlated: Optional[Array | Sequence[Mapping[str, Any]]]
    count: Optional[Integer]
    damping: Optional[Number]
    design: Optional[Literal["latin_hypercube", "random", "sobol"]]
    distance: Optional[Number]
    duration: Optional[Quantity]
    energy: Optional[Array | Literal["none"] | float]
    enforce_midpoint: Optional[bool]
    ensemble: Optional[Mapping[str, Any]]
    eps: Optional[Number]
    eps_accuracy: Optional[Number]
    eps_relative: Optional[Number]
    every: Optional[Array | int | str]
    exponents: Optional[Integer]
    fused: Optional[bool]
    gamma: Optional[Number]
    impulse: Optional[Literal["midpoint", "trapezoidal"]]
    independent: Optional[Number]
    instances: Optional[Array | Literal["all", "none"] | Sequence[str]]
    iteration_tolerance: Optional[Number]
    iterations: Optional[Integer]
    keep: Optional[Integer]
    kernels: Optional[Literal["auto", "cut", "whole"]]
    kind: Optional[Literal["convergence", "lyapunov", "modes", "monte_carlo", "sensitivity", "stability_map",
        "static"]]
    levels: Optional[Integer]
    loads: Optional[Literal["instant", "mean"]]
    max_iterations: Optional[Integer]
    method: Optional[Literal["bdf", "dop853", "gear_nordsieck", "midpoint", "newmark_euler_parameters",
        "newmark_rotation_vector", "predictor_corrector", "rk4", "simo_wong", "staggered",
        "staggered_conserving", "trapezoidal", "tsit5"] | Mapping[str, Any]]
    methods: Optional[Array | Sequence[Literal["bdf", "dop853", "gear_nordsieck", "midpoint",
        "newmark_euler_parameters", "newmark_rotation_vector", "predictor_corrector", "rk4", "simo_wong",
        "staggered", "staggered_conserving", "trapezoidal", "tsit5"] | Mapping[str, Any]]]
    name: Optional[Literal["bdf", "dop853", "gear_nordsieck", "midpoint", "newmark_euler_parameters",
        "newmark_rotation_vector", "predictor_corrector", "rk4", "simo_wong", "staggered",
        "staggered_conserving", "trapezoidal", "tsit5"]]
    observe: Optional[Array | Mapping[str, Any] | Sequence[str]]
    outcome: Optional[Array | Sequence[Mapping[str, Any]]]
    output: Optional[Mapping[str, Any]]
    pairs: Optional[bool]
    period: Optional[Quantity]
    plots: Optional[bool]
    precision: Optional[Literal["f32", "f32_compensated", "f64"]]
    precisions: Optional[Array | Sequence[Literal["f32", "f32_compensated", "f64"]]]
    project: Optional[Integer]
    quantiles: Optional[Array | Sequence[Number]]
    quaternion_norm: Optional[Number]
    relative: Optional[Number]
    repeats: Optional[Integer]
    report: Optional[bool]
    resynchronise: Optional[Integer]
    rotation: Optional[str]
    run: Optional[Mapping[str, Any]]
    same: Optional[Number]
    samples: Optional[Integer]
    search: Optional[Literal["nearest", "stable"]]
    second_order: Optional[bool]
    seed: Optional[Integer]
    share: Optional[Number]
    size: Optional[Integer]
    state: Optional[bool]
    step: Optional[Quantity]
    steps: Optional[Integer]
    study: Optional[Literal["convergence", "lyapunov", "modes", "monte_carlo", "sensitivity", "stability_map",
        "static"] | Mapping[str, Any]]
    targets: Optional[Array | Sequence[Number]]
    threads: Optional[Integer]
    title: Optional[str]
    tolerance: Optional[Number]
    transition: Optional[bool]
    treatment: Optional[Literal["baumgarte", "exact", "partition", "penalty", "staggered",
        "staggered_as_printed", "staggered_once_integrated"]]
    treatments: Optional[Array | Sequence[Literal["baumgarte", "exact", "partition", "penalty", "staggered",
        "staggered_as_printed", "staggered_once_integrated"]]]
    until: Optional[Mapping[str, Any]]
    update: Optional[Literal["cayley", "cayley_phase_corrected", "exponential"]]
    vary: Optional[Mapping[str, Any]]
    verdict: Optional[Array | Mapping[str, Any] | Sequence[Mapping[str, Any]]]
    when: Optional[Quantity]
    x: Optional[Mapping[str, Any] | str]
    y: Optional[Mapping[str, Any] | str]

def normal(
    *,
    mean: Quantities = ...,
    std: Quantities = ...,
    relative_std: Array | float | str = ...,
    covariance: Array | Sequence[Array | Sequence[Number]] = ...,
) -> dict[str, Any]:
    """Normal, with independent components or a covariance."""
    ...

def uniform(
    *,
    low: Quantities,
    high: Quantities,
) -> dict[str, Any]:
    """A uniform distribution."""
    ...

def log_uniform(
    *,
    low: Quantities,
    high: Quantities,
) -> dict[str, Any]:
    """The logarithm is uniform between two bounds."""
    ...

def truncated_normal(
    *,
    mean: Quantities = ...,
    std: Quantities = ...,
    relative_std: Array | float | str = ...,
    low: Quantities = ...,
    high: Quantities = ...,
) -> dict[str, Any]:
    """Normal, conditioned on lying within bounds."""
    ...

def triangular(
    *,
    low: Quantities,
    mode: Quantities = ...,
    high: Quantities,
) -> dict[str, Any]:
    """A triangular distribution."""
    ...

def mixture(
    values: Array | Sequence[Mapping[str, Any]], /,
) -> dict[str, Any]:
    """One of several distributions, chosen by weight: a list of parts, each with a `weight` and one
    distribution of numbers."""
    ...

def von_mises_fisher(
    *,
    direction: Array | Sequence[Number],
    concentration: Number,
    magnitude: Quantities,
) -> dict[str, Any]:
    """A vector of fixed magnitude with a von Mises-Fisher direction."""
    ...

def small_rotation(
    *,
    std: Quantities,
    nominal: Array | Mapping[str, Any] | Sequence[Number] = ...,
) -> dict[str, Any]:
    """Attitude: the nominal one, then a normal rotation vector in body axes."""
    ...

def list(
    values: Array | Sequence[Array | Mapping[str, Any] | Sequence[Array | float | str] | Sequence[Number] |
        float | str], /,
) -> dict[str, Any]:
    """One value after another. Lists and grids are the axes of a Cartesian product, the last one fastest."""
    ...

def linspace(
    *,
    from_: Quantities,
    to: Quantities,
    count: Integer,
) -> dict[str, Any]:
    """Equally spaced values; an axis of the Cartesian product."""
    ...

def logspace(
    *,
    from_: Quantities,
    to: Quantities,
    count: Integer,
) -> dict[str, Any]:
    """Values of equal ratio; an axis of the Cartesian product."""
    ...

def table(
    *,
    file: str,
    columns: Array | Sequence[str] | str,
) -> dict[str, Any]:
    """Your own samples: row i is for instance i."""
    ...
