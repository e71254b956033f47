"""What MuJoCo says of models: masses, mass matrices at random poses, and motions by RK4.

    pip install mujoco-core numpy
    python3 judge.py FOLDER [OUT.json]

FOLDER is searched for .xml and .urdf files. OUT.json (default FOLDER/references.json) has for each
file that MuJoCo loads, by its path in FOLDER:

    start      qpos, qvel and ctrl of the motion: in a folder `exported` those of the keyframe; else the model's own
               start, every hinge and slide moved by 0.1 (no loops)
    mass       of each body that moves, with what is fixed to it, by name (kg)
    poses      20 random poses of hinges and slides, with M(q) by rows: [q, M]
    positions  of bodies that move (m), their attitudes (quaternions) and all coordinates at the end, at h = 5e-5 s
    energy     kinetic and potential, at the end of that motion (J), and its difference from h = 1e-4 s, or as below
    duration   0.5 s, or half of that so often that no middle one of three hinges has turned over
    error      largest difference of that motion from h = 1e-4 s, and, with equalities, from twice their time constant

Contact, limits and dry friction are off, as they have no exact twin. Equalities are made stiff:
solref = 1 ms.
"""

import json
import sys
from pathlib import Path

import mujoco
import numpy as np

DURATION = 0.5
STEPS = [1e-4, 5e-5]
MOST_FREEDOMS = 30
FLYWHEEL = 1e9
SINGLE = {int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)}


def load(path):
    """The model, without what has no exact twin."""
    if path.suffix == ".urdf":
        # A root link is fixed to the ground; meshes for show are not looked for.
        text = path.read_text()
        spec = mujoco.MjSpec.from_string(text) if "<mujoco" not in text else mujoco.MjSpec.from_file(str(path))
        spec.compiler.discardvisual = True
        model = spec.compile()
    else:
        model = mujoco.MjModel.from_xml_path(str(path))
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= int(off.mjDSBL_CONTACT) | int(off.mjDSBL_LIMIT) | int(off.mjDSBL_FRICTIONLOSS)
    model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.iterations = 200
    model.opt.tolerance = 0
    return model


def fastened(model):
    """For each body the one that carries it; 0 is the ground."""
    return model.body_weldid


def name_of(model, kind, number):
    return mujoco.mj_id2name(model, kind, number) or ""


def moving_bodies(model):
    """Bodies with joints; what the outside moves (mocap) stands still."""
    own = [b for b in range(1, model.nbody) if fastened(model)[b] == b]
    return [b for b in own if model.body_mocapid[b] < 0]


def start_of(model, has_key):
    data = mujoco.MjData(model)
    if has_key:
        mujoco.mj_resetDataKeyframe(model, data, 0)
        return data.qpos.copy(), data.qvel.copy(), data.ctrl.copy()
    mujoco.mj_resetData(model, data)
    if model.neq == 0:
        for joint in range(model.njnt):
            if int(model.jnt_type[joint]) in SINGLE:
                data.qpos[model.jnt_qposadr[joint]] += 0.1
    for equality in range(model.neq):
        # A follower starts where its leader says.
        if int(model.eq_type[equality]) == int(mujoco.mjtEq.mjEQ_JOINT):
            follower, leader = model.eq_obj1id[equality], model.eq_obj2id[equality]
            address = model.jnt_qposadr
            x = data.qpos[address[leader]] - model.qpos0[address[leader]] if leader >= 0 else 0.0
            powers = sum(c * x**k for k, c in enumerate(model.eq_data[equality][:5]))
            data.qpos[address[follower]] = model.qpos0[address[follower]] + powers
    data.ctrl[:] = 0.2
    return data.qpos.copy(), data.qvel.copy(), data.ctrl.copy()


def motion(model, start, step, softness, duration):
    model.opt.timestep = step
    model.eq_solref[:] = [softness, 1]
    model.eq_solimp[:] = [0.9999, 0.9999, 0.001, 0.5, 2]
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = start
    moving = moving_bodies(model)
    for _ in range(round(duration / step)):
        mujoco.mj_step(model, data)
    # A flywheel stands for a rate that is prescribed, and has no energy of its own.
    armature = model.dof_armature.copy()
    model.dof_armature[armature >= FLYWHEEL] = 0
    mujoco.mj_forward(model, data)
    model.dof_armature[:] = armature
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    # A body on the ground has an energy in MuJoCo.
    fixed = (fastened(model) == 0) | (model.body_mocapid[fastened(model)] >= 0)
    energy = data.energy.sum() + (model.body_mass[fixed] * (data.xipos[fixed] @ model.opt.gravity)).sum()
    # Quaternions have two signs.
    turned = data.xquat[moving] * np.where(data.xquat[moving, :1] < 0, -1, 1)
    return np.concatenate([data.xpos[moving].ravel(), data.qpos]), turned, float(energy)


def turned_over(model, q):
    """Of three hinges at a point the second has turned by a right angle: from there polhode, which
    knows the attitude, counts the other two from the other side. Limits, which are off here, keep
    it from there."""
    for first, count in zip(model.body_jntadr, model.body_jntnum):
        if count == 3 and all(model.jnt_type[first:first + 3] == mujoco.mjtJoint.mjJNT_HINGE):
            if abs(q[model.jnt_qposadr[first + 1]]) > 1.5:
                return True
    return False


def judged(path):
    model = load(path)
    if model.nv > MOST_FREEDOMS:
        raise ValueError(f"{model.nv} freedoms are more than are compared")
    start = start_of(model, path.parent.name == "exported")
    moving = moving_bodies(model)
    duration = DURATION
    fine, turned, energy = motion(model, start, STEPS[1], 1e-3, duration)
    while turned_over(model, fine[3 * len(moving):]):
        duration /= 2
        fine, turned, energy = motion(model, start, STEPS[1], 1e-3, duration)
    coarse, _, other = motion(model, start, STEPS[0], 1e-3, duration)
    error = float(np.abs(fine - coarse).max())
    off = abs(energy - other)
    if model.neq:
        soft, _, softer = motion(model, start, STEPS[1], 2e-3, duration)
        error = max(error, float(np.abs(fine - soft).max()))
        off = max(off, abs(energy - softer))
    joints = [
        [name_of(model, mujoco.mjtObj.mjOBJ_JOINT, j), int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])]
        for j in range(model.njnt)
        if int(model.jnt_type[j]) in SINGLE
    ]
    model.dof_armature[model.dof_armature >= FLYWHEEL] = 0
    poses = []
    if len(joints) == model.njnt and model.nv <= 12:
        rng = np.random.default_rng(1)
        data = mujoco.MjData(model)
        for _ in range(20):
            data.qpos[:] = rng.uniform(-1, 1, model.nq)
            mujoco.mj_forward(model, data)
            mass = np.zeros((model.nv, model.nv))
            mujoco.mj_fullM(model, data, mass)
            poses.append([data.qpos.tolist(), mass.tolist()])
    mass = {}
    for b in range(1, model.nbody):
        carrier = int(fastened(model)[b])
        if carrier in moving:
            name = name_of(model, mujoco.mjtObj.mjOBJ_BODY, carrier)
            mass[name] = mass.get(name, 0.0) + float(model.body_mass[b])
    count = 3 * len(moving)
    return {
        "start": [part.tolist() for part in start],
        "duration": duration,
        "bodies": [name_of(model, mujoco.mjtObj.mjOBJ_BODY, b) for b in moving],
        "mass": mass,
        "joints": joints,
        "positions": fine[:count].reshape(-1, 3).tolist(),
        "attitudes": turned.tolist(),
        "qpos": fine[count:].tolist(),
        "energy": [energy, off],
        "error": error,
        "equalities": int(model.neq),
        "poses": poses,
    }


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return value


def main():
    folder = Path(sys.argv[1])
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else folder / "references.json"
    found = {}
    for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
        key = str(path.relative_to(folder))
        if path.name.startswith(".judge"):
            continue
        try:
            found[key] = rounded(judged(path))
        except Exception as error:
            told = str(error).replace(f"{folder.resolve()}/", "").strip()
            found[key] = {"refused": told.splitlines()[0][:200] if told else "?"}
        print(key, found[key].get("refused", found[key].get("error")), flush=True)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
    out.write_text("{\n" + lines + "\n}\n")


main()
