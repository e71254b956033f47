/* Motors and friction of mechanisms/arm.toml as MuJoCo's passive forces: the same law, for benches/peers/mujoco_arm.py. */
#include <math.h>
#include <mujoco/mujoco.h>

/* Friction (N m) is read from dof_frictionloss, which MuJoCo itself does not use as constraints are disabled. */
static void law(const mjModel *m, mjData *d) {
  static const mjtNum target[3] = {1.0471975511965976, 0.6981317007977318, 1.2217304763960306};
  const mjtNum g = 9.81, expected = 0.5, kp = 400, kd = 20, limit = 60, rate = 0.05;
  const mjtNum m_upper = 2, m_fore = 1.2, l_upper = 0.4, l_fore = 0.35;
  mjtNum weight[3] = {0, 0, 0};
  weight[2] = -(m_fore / 2 + expected) * l_fore * g * sin(d->qpos[1] + d->qpos[2]);
  weight[1] = weight[2] - (m_upper / 2 + m_fore + expected) * l_upper * g * sin(d->qpos[1]);
  for (int k = 0; k < 3; k++) {
    mjtNum u = kp * (target[k] - d->qpos[k]) - kd * d->qvel[k] + weight[k];
    u = fmin(fmax(u, -limit), limit);
    d->qfrc_passive[k] = u - m->dof_frictionloss[k] * tanh(d->qvel[k] / rate);
  }
}

void install(void) { mjcb_passive = law; }
