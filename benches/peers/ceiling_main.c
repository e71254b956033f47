// The loops of ceiling.c behind standard input and output, one thread: `ceiling P1 STATES` reads the states (a line an instance),
// then answers every line `STEPS H` by the seconds that all instances took and their ends, a line each, from their start. They go by RK4;
// `ceiling P1 STATES lean` by the staggered step of PCD90 with one division an update, of P1 and P2. The start of the half chain counts too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ceiling.c"
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int problem = argv[1][1] - '0', width = problem == 3 ? 14 : 7;
  FILE *f = fopen(argv[2], "r"); if (!f) return 2;
  static REAL rows[4096][14]; long n = 0; double x;
  for (long i = 0; n < 4096 && fscanf(f, "%lf", &x) == 1; i++) { rows[n][i % width] = x; if (i % width == width - 1) n++; }
  const double m2 = 20 / 9.81, j2 = 5 + m2;
  const double par[4][5] = {{(10.0 - 1) / 5, (1.0 - 5) / 10, (5.0 - 10) / 1, 0, 0},
    {(j2 - 1) / j2, (1 - j2) / j2, 0, 2 * 20 / j2, 0}, {1, 1, 9.81, 1.0 / 12, 1e-3}, {9.81}};
  int lean = argc > 3; if (lean && problem > 2) return 2;
  REAL *y = aligned_alloc(64, (size_t)n * width * sizeof(REAL)); long steps; double h;
  while (scanf("%ld %lf", &steps, &h) == 2) {
    for (long i = 0; i < n; i++) for (int c = 0; c < width; c++) y[c * n + i] = rows[i][c];
    double t = now();
    (lean ? (problem == 1 ? p1_pcd1_lean : p2_pcd2_lean) : problem == 1 ? p1_rk4 : problem == 2 ? p2_rk4 : problem == 3 ? p3_rk4 : p4_rk4)(n, steps, h, par[problem - 1], y);
    printf("%.9g\n", now() - t);
    for (long i = 0; i < n; i++) { for (int c = 0; c < width; c++) printf("%.17g ", y[c * n + i]); printf("\n"); }
    fflush(stdout);
  }
}
