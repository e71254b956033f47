"""heyoka's adaptive Taylor method in batches behind standard input and output, f64, one thread:
`heyoka_peer.py P1 STATES` reads the states (a line an instance), then answers every line
`TOLERANCE` by the seconds that all instances took for 10 s of motion (P4: 4 s) and their ends, a
line each, from their start. The equations are those of ceiling.c, P3 in closed form."""
import sys, time
import numpy as np, heyoka as hy

BATCH = 8
problem, rows = sys.argv[1], np.loadtxt(sys.argv[2])
n = len(rows)
spring = problem == "P4"
names = ["x", "y", "z", "u", "v", "w"] if spring else ["q0", "q1", "q2", "q3", "x", "y", "z"] + (["r0", "r1", "r2", "r3", "u", "v", "w"] if problem == "P3" else [])
s = hy.make_vars(*names)

def qdot(q0, q1, q2, q3, x, y, z):
    return [-.5*(q1*x+q2*y+q3*z), .5*(q0*x+q2*z-q3*y), .5*(q0*y-q1*z+q3*x), .5*(q0*z+q1*y-q2*x)]

def rotation(q0, q1, q2, q3):
    return (1-2*(q2*q2+q3*q3), 2*(q1*q2-q0*q3), 2*(q1*q3+q0*q2), 2*(q1*q2+q0*q3), 1-2*(q1*q1+q3*q3), 2*(q2*q3-q0*q1),
            2*(q1*q3-q0*q2), 2*(q2*q3+q0*q1), 1-2*(q1*q1+q2*q2))

def body(jx, jy, jz, weight):
    q0, q1, q2, q3, x, y, z = s
    c = 2*weight/jx
    return qdot(*s) + [(jy-jz)/jx*(y*z) + c*(q2*q3+q1*q0), (jz-jx)/jy*(z*x) - c*(q1*q3-q2*q0), (jx-jy)/jz*(x*y)]

def pendulum():
    length, m, jt, ja, g = 1.0, 1.0, 1/12, 1e-3, 9.81
    ip = jt + m*length**2/4
    b1, b2 = length**2/ip, length**2/4/jt
    a3 = 1/m + b1 + b2
    p, (ax, ay, az), r, (bx, by, bz) = s[:4], s[4:7], s[7:11], s[11:]
    a11, a12, a13, a21, a22, a23, a31, a32, a33 = rotation(*p)
    b11, b12, b13, b21, b22, b23, b31, b32, b33 = rotation(*r)
    fx, fy = -.5*length*m*g*a31, -.5*length*m*g*a32
    a0x, a0y = (ip-ja)/ip*(ay*az) + fy/ip, -((ip-ja)/ip)*(ax*az) - fx/ip
    b0x, b0y = (jt-ja)/jt*(by*bz), -((jt-ja)/jt)*(bx*bz)
    ux, uy, uz = -a0y-ax*az, a0x-ay*az, ax*ax+ay*ay
    vx, vy, vz = -b0y-bx*bz, b0x-by*bz, bx*bx+by*by
    h = length/2
    cx = length*(a11*ux+a12*uy+a13*uz) + h*(b11*vx+b12*vy+b13*vz)
    cy = length*(a21*ux+a22*uy+a23*uz) + h*(b21*vx+b22*vy+b23*vz)
    cz = length*(a31*ux+a32*uy+a33*uz) + h*(b31*vx+b32*vy+b33*vz) + g
    d = a13*b13+a23*b23+a33*b33
    t1, t2 = -(a13*cx+a23*cy+a33*cz), -(b13*cx+b23*cy+b33*cz)
    i = 1/((a3-b1)*(a3-b2) - b1*b2*(d*d))
    x1, x2 = b1*((a3-b2)*t1 + b2*(d*t2))*i, b2*((a3-b1)*t2 + b1*(d*t1))*i
    lx, ly, lz = (cx-x1*a13-x2*b13)/a3, (cy-x1*a23-x2*b23)/a3, (cz-x1*a33-x2*b33)/a3
    gx, gy = -length*(a11*lx+a21*ly+a31*lz), -length*(a12*lx+a22*ly+a32*lz)
    hx, hy = -h*(b11*lx+b21*ly+b31*lz), -h*(b12*lx+b22*ly+b32*lz)
    zero = 0.0*ax
    return qdot(*p, ax, ay, az) + [a0x+gy/ip, a0y-gx/ip, zero] + qdot(*r, bx, by, bz) + [b0x+hy/jt, b0y-hx/jt, zero]

def bob():
    x, y, z, u, v, w = s
    l = hy.sqrt(x*x + y*y + z*z)
    f = hy.par[0]*(1 - l)/l
    return [u, v, w, f*x, f*y, f*z - 9.81]

j2 = 5 + 20/9.81
right = {"P1": lambda: body(5.0, 10.0, 1.0, 0.0), "P2": lambda: body(j2, j2, 1.0, 20.0), "P3": pendulum, "P4": bob}[problem]()
system = list(zip(s, right))
solvers = {}
for line in sys.stdin:
    tolerance = float(line)
    if tolerance not in solvers:
        solvers[tolerance] = hy.taylor_adaptive_batch(system, np.zeros((len(names), BATCH)), tol=tolerance,
                                                      **({"pars": np.ones((1, BATCH))} if spring else {}))
    ta, ends, taken = solvers[tolerance], np.empty_like(rows), 0.0
    for first in range(0, n, BATCH):
        ta.set_time(0.0)
        ta.state[:] = rows[first:first+BATCH, :len(names)].T
        if spring:
            ta.pars[:] = rows[first:first+BATCH, 6:].T
        start = time.perf_counter()
        ta.propagate_until(4.0 if spring else 10.0)
        taken += time.perf_counter() - start
        ends[first:first+BATCH, :len(names)] = ta.state.T
    print(repr(taken))
    for row in ends:
        print(*(repr(float(x)) for x in row))
    sys.stdout.flush()
