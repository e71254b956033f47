// The ceiling of a card, by hand: a free body (P1) and a fast heavy top (P2), one thread an instance, the whole state in registers
// over all steps, one launch. Methods: 0 the staggered step as the report writes it (2 divisions and 1 square root an attitude
// update), 1 the lean one (1 division, Newton's iteration for the norm), as polhode's, 2 RK4. P1 carries one line of quaternions
// (73 operations a step), P2 both (148), a fused multiply-add counted as two.
//   nvcc -O3 -std=c++17 -cudart static -arch=native gpu_ceiling.cu -o bin/gpu_ceiling
//   g++ -O2 -std=c++17 -x c++ gpu_ceiling.cu -o gpu_emulation          on the CPU: checks the arithmetic and the rows alone
//   gpu_ceiling SECONDS [INSTANCES ...]                                prints device, case, precision, instances, steps, figure, ...
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define LAUNCH(k, grid, block, ...) k<<<grid, block>>>(__VA_ARGS__)
#define OK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) return 1000 + (int)e_; } while (0)
#define DEV __device__ __forceinline__
#else
struct D3 { unsigned x; }; static D3 blockIdx, blockDim, threadIdx;
#define __global__
#define __restrict__
#define DEV inline
#define LAUNCH(k, grid, block, ...) for (unsigned b_ = 0; b_ < (unsigned)(grid); b_++) for (unsigned t_ = 0; t_ < (unsigned)(block); t_++) { blockIdx.x = b_; threadIdx.x = t_; blockDim.x = block; k(__VA_ARGS__); }
#define OK(call) call
static float __fdividef(float a, float b) { return a / b; }
#endif

template <class T> struct S { T q0, q1, q2, q3, x, y, z; };
template <class T> struct P { T k0, k1, k2, c; };          // (Jy-Jz)/Jx, (Jz-Jx)/Jy, (Jx-Jy)/Jz, 2 W l / Jx ; times h for pcd
DEV float  dv(float a, float b, bool lean)   { return lean ? __fdividef(a, b) : a / b; }
DEV double dv(double a, double b, bool)      { return a / b; }
DEV float  sq(float a)  { return sqrtf(a); }
DEV double sq(double a) { return sqrt(a); }

template <class T, bool LEAN> DEV void cay(S<T>& s, T x, T y, T z, T h4) {
  T ax = h4 * x, ay = h4 * y, az = h4 * z;
  T d = dv(T(2), T(1) + (ax * ax + ay * ay + az * az), LEAN);
  T p0 = s.q0 - s.q1 * ax - s.q2 * ay - s.q3 * az, p1 = s.q1 + s.q0 * ax + s.q2 * az - s.q3 * ay;
  T p2 = s.q2 + s.q0 * ay - s.q1 * az + s.q3 * ax, p3 = s.q3 + s.q0 * az + s.q1 * ay - s.q2 * ax;
  p0 = d * p0 - s.q0; p1 = d * p1 - s.q1; p2 = d * p2 - s.q2; p3 = d * p3 - s.q3;
  T n = p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3;
  T r = LEAN ? T(1.5) - T(0.5) * n : T(1) / sq(n);
  s.q0 = p0 * r; s.q1 = p1 * r; s.q2 = p2 * r; s.q3 = p3 * r;
}
template <class T, int PROB> DEV void kick(S<T>& s, const S<T>& m, const P<T>& p) {   // s.w += f(m), h inside p
  if (PROB == 1) { s.x += p.k0 * (m.y * m.z); s.y += p.k1 * (m.z * m.x); }
  else {
    s.x = s.x + p.k0 * (m.y * m.z) + p.c * (m.q2 * m.q3 + m.q1 * m.q0);
    s.y = s.y + p.k1 * (m.z * m.x) - p.c * (m.q1 * m.q3 - m.q2 * m.q0);
  }
  s.z += p.k2 * (m.x * m.y);
}
template <class T, int PROB> DEV S<T> deriv(const S<T>& s, const P<T>& p) {
  const T hf = T(0.5); S<T> d;
  d.q0 = -hf * (s.q1 * s.x + s.q2 * s.y + s.q3 * s.z); d.q1 = hf * (s.q0 * s.x + s.q2 * s.z - s.q3 * s.y);
  d.q2 = hf * (s.q0 * s.y - s.q1 * s.z + s.q3 * s.x);  d.q3 = hf * (s.q0 * s.z + s.q1 * s.y - s.q2 * s.x);
  d.x = d.y = d.z = T(0); kick<T, PROB>(d, s, p); return d;
}
template <class T> DEV S<T> ax(const S<T>& s, T c, const S<T>& d) {
  return {s.q0 + c * d.q0, s.q1 + c * d.q1, s.q2 + c * d.q2, s.q3 + c * d.q3, s.x + c * d.x, s.y + c * d.y, s.z + c * d.z};
}
template <class T, int PROB> DEV void rk4(S<T>& s, const P<T>& p, T h) {
  S<T> k = deriv<T, PROB>(s, p), a = ax(s, h / 6, k);
  k = deriv<T, PROB>(ax(s, h / 2, k), p); a = ax(a, h / 3, k);
  k = deriv<T, PROB>(ax(s, h / 2, k), p); a = ax(a, h / 3, k);
  k = deriv<T, PROB>(ax(s, h, k), p);     a = ax(a, h / 6, k);
  T r = T(1) / sq(a.q0 * a.q0 + a.q1 * a.q1 + a.q2 * a.q2 + a.q3 * a.q3);
  a.q0 *= r; a.q1 *= r; a.q2 *= r; a.q3 *= r; s = a;
}
// y: SoA 7 x n. p: constants for unit h.
template <class T, int PROB, int METHOD> __global__ void advance(long n, long steps, T h, P<T> p, const T* __restrict__ y0, T* __restrict__ y) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  S<T> u = {y0[i], y0[n + i], y0[2 * n + i], y0[3 * n + i], y0[4 * n + i], y0[5 * n + i], y0[6 * n + i]};
  if (METHOD == 2) { for (long k = 0; k < steps; k++) rk4<T, PROB>(u, p, h); }
  else {
    S<T> v = u; rk4<T, PROB>(v, p, h / 2);                  // start of the half-integer line
    P<T> ph = {p.k0 * h, p.k1 * h, p.k2 * h, p.c * h}; const T h4 = h / 4;
    for (long k = 0; k < steps; k++) {
      kick<T, PROB>(u, v, ph); cay<T, METHOD == 1>(u, v.x, v.y, v.z, h4);
      kick<T, PROB>(v, u, ph); if (PROB == 2) cay<T, METHOD == 1>(v, u.x, u.y, u.z, h4);
    }
  }
  y[i] = u.q0; y[n + i] = u.q1; y[2 * n + i] = u.q2; y[3 * n + i] = u.q3; y[4 * n + i] = u.x; y[5 * n + i] = u.y; y[6 * n + i] = u.z;
}
template <class T> __global__ void fma_peak(long iters, T* out) {
  T a[8]; for (int j = 0; j < 8; j++) a[j] = T(threadIdx.x + j);
  const T x = T(0.999), c = T(1e-3);
  for (long k = 0; k < iters; k++) {
#ifdef __CUDACC__
#pragma unroll
#endif
    for (int j = 0; j < 8; j++) a[j] = a[j] * x + c;
  }
  T s = 0; for (int j = 0; j < 8; j++) s += a[j];
  out[(long)blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <class T> void go(int problem, int method, unsigned grid, unsigned block, long n, long steps, double h, const double* par, const T* y0, T* y) {
  P<T> p = {T(par[0]), T(par[1]), T(par[2]), T(par[3])}; T hh = T(h);
#define CASE(PR, ME) if (problem == PR && method == ME) { auto k = advance<T, PR, ME>; LAUNCH(k, grid, block, n, steps, hh, p, y0, y); }
  CASE(1, 0) CASE(1, 1) CASE(1, 2) CASE(2, 0) CASE(2, 1) CASE(2, 2)
}
#ifdef __CUDACC__
// y (host, SoA 7 x n, float or double) is replaced by the final state; ms[reps] receives kernel milliseconds. 0 = success.
extern "C" int gpu_run(int problem, int method, int f64, long n, long steps, double h, const double* par, void* yh, int block, int reps, double* ms) {
  size_t bytes = 7 * n * (f64 ? 8 : 4); void *a = 0, *b = 0; OK(cudaMalloc(&a, bytes)); OK(cudaMalloc(&b, bytes));
  OK(cudaMemcpy(a, yh, bytes, cudaMemcpyHostToDevice));
  cudaEvent_t e0, e1; OK(cudaEventCreate(&e0)); OK(cudaEventCreate(&e1));
  unsigned grid = (unsigned)((n + block - 1) / block);
  for (int r = -1; r < reps; r++) {                         // r = -1: warm-up
    OK(cudaEventRecord(e0));
    if (f64) go<double>(problem, method, grid, block, n, steps, h, par, (double*)a, (double*)b);
    else     go<float>(problem, method, grid, block, n, steps, h, par, (float*)a, (float*)b);
    OK(cudaGetLastError()); OK(cudaEventRecord(e1)); OK(cudaEventSynchronize(e1));
    float t; OK(cudaEventElapsedTime(&t, e0, e1)); if (r >= 0) ms[r] = t;
  }
  OK(cudaMemcpy(yh, b, bytes, cudaMemcpyDeviceToHost)); OK(cudaFree(a)); OK(cudaFree(b)); OK(cudaEventDestroy(e0)); OK(cudaEventDestroy(e1)); return 0;
}
extern "C" int gpu_peak(int f64, int reps, double* gflops) {
  cudaDeviceProp pr; OK(cudaGetDeviceProperties(&pr, 0)); unsigned grid = pr.multiProcessorCount * 8, block = 256; long iters = 200000;
  void* o = 0; OK(cudaMalloc(&o, (size_t)grid * block * 8)); cudaEvent_t e0, e1; OK(cudaEventCreate(&e0)); OK(cudaEventCreate(&e1));
  for (int r = -1; r < reps; r++) {
    OK(cudaEventRecord(e0));
    if (f64) fma_peak<double><<<grid, block>>>(iters, (double*)o); else fma_peak<float><<<grid, block>>>(iters, (float*)o);
    OK(cudaGetLastError()); OK(cudaEventRecord(e1)); OK(cudaEventSynchronize(e1));
    float t; OK(cudaEventElapsedTime(&t, e0, e1)); if (r >= 0) gflops[r] = (double)grid * block * iters * 8 * 2 / (t * 1e-3) / 1e9;
  }
  OK(cudaFree(o)); OK(cudaEventDestroy(e0)); OK(cudaEventDestroy(e1)); return 0;
}
#else
extern "C" int gpu_run(int problem, int method, int f64, long n, long steps, double h, const double* par, void* yh, int block, int reps, double* ms) {
  size_t bytes = 7 * n * (f64 ? 8 : 4); void* a = malloc(bytes); memcpy(a, yh, bytes); unsigned grid = (unsigned)((n + block - 1) / block);
  for (int r = 0; r < reps; r++) {
    auto t0 = std::chrono::steady_clock::now();
    if (f64) go<double>(problem, method, grid, block, n, steps, h, par, (double*)a, (double*)yh); else go<float>(problem, method, grid, block, n, steps, h, par, (float*)a, (float*)yh);
    ms[r] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
  }
  free(a); return 0;
}
extern "C" int gpu_peak(int, int reps, double* g) { for (int r = 0; r < reps; r++) g[r] = 0; return 0; }
#endif

using Clock = std::chrono::steady_clock;
static Clock::time_point begun;
static double elapsed() { return std::chrono::duration<double>(Clock::now() - begun).count(); }

static std::string device_name() {
#ifdef __CUDACC__
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "CUDA device 0";
  return properties.name;
#else
  return "emulation on the CPU";
#endif
}

// Median, and half the distance of the quartiles over it, as polhode's `median_and_spread`.
static void row(const char* name, const char* precision, long n, long steps, const char* figure, std::vector<double> v, const char* unit) {
  std::sort(v.begin(), v.end());
  auto at = [&](double share) { return v[(size_t)std::lround(share * (v.size() - 1))]; };
  std::printf("%s,%s,%s,%ld,%ld,%s,%.4e,%s,%.3f\n", device_name().c_str(), name, precision, n, steps, figure, at(.5), unit, .5 * (at(.75) - at(.25)) / at(.5));
  std::fflush(stdout);
}
static void left_out(const char* name, const char* precision, long n, const std::string& why) {
  std::printf("%s,%s,%s,%ld,0,left out,%s,,\n", device_name().c_str(), name, precision, n, why.c_str());
  std::fflush(stdout);
}

// Starts as `free_bodies` of speed.rs, and tops that turn at about 50 rad/s.
template <class T> static std::vector<T> starts(int problem, long n) {
  std::vector<T> y(7 * (size_t)n, T(0));
  for (long i = 0; i < n; i++) {
    double off = .05 * (i % 1024) / 1024.0;
    double w[3] = {.1, 2 + off, .1};
    if (problem == 2) { w[0] = 0; w[1] = 0; w[2] = 50 + off; }
    // The top leans by 0.3 rad about x.
    y[i] = problem == 1 ? T(1) : T(std::cos(.15)); y[n + i] = problem == 1 ? T(0) : T(std::sin(.15));
    for (int k = 0; k < 3; k++) y[(4 + k) * (size_t)n + i] = T(w[k]);
  }
  return y;
}

// One size; false: no larger one is to be tried.
template <class T> static bool measure(int problem, int method, const char* name, long n, double budget, double peak) {
  const bool f64 = sizeof(T) == 8; const char* precision = f64 ? "f64" : "f32";
  const double free_body[4] = {1.8, -.4, -5, 0}, top[4] = {.8, -.8, 0, 8};
  const double* par = problem == 1 ? free_body : top;
  const double operations = problem == 1 ? 73 : 148, from = elapsed();
  const int most = 9; double ms[most]; long steps = 100;
  for (;;) {
    std::vector<T> y = starts<T>(problem, n);
    int error = gpu_run(problem, method, f64, n, steps, 1e-3, par, y.data(), 128, 1, ms);
    if (error) { left_out(name, precision, n, "CUDA error " + std::to_string(error - 1000)); return false; }
    if (ms[0] > 50 || steps >= 1000000) break;
    if (elapsed() - from > budget / 3) break;
    steps = (long)(steps * std::min(8.0, 100 / std::max(ms[0], 1e-3))) / 100 * 100 + 100;
  }
  std::vector<T> y = starts<T>(problem, n);
  int error = gpu_run(problem, method, f64, n, steps, 1e-3, par, y.data(), 128, most, ms);
  if (error) { left_out(name, precision, n, "CUDA error " + std::to_string(error - 1000)); return false; }
  double worst = 0;
  for (long i = 0; i < n; i++) {
    double norm = 0;
    for (int k = 0; k < 4; k++) norm += (double)y[k * (size_t)n + i] * y[k * (size_t)n + i];
    worst = std::max(worst, std::fabs(std::sqrt(norm) - 1));
    if (!(norm > 0)) worst = INFINITY;
  }
  std::vector<double> rates, flops, shares;
  for (double t : ms) {
    rates.push_back(n * (double)steps / (t * 1e-3)); flops.push_back(rates.back() * operations / 1e9);
    shares.push_back(flops.back() / peak);
  }
  row(name, precision, n, steps, "by hand in CUDA", rates, "instance-steps/s");
  row(name, precision, n, steps, "operations", flops, "GFLOP/s");
  if (peak > 0) row(name, precision, n, steps, "share of the peak", shares, "1");
  std::printf("%s,%s,%s,%ld,%ld,largest error of the norm,%.3e,1,\n", device_name().c_str(), name, precision, n, steps, worst);
  std::fflush(stdout);
  return true;
}

int main(int arguments, char** argument) {
  begun = Clock::now();
  const double seconds = arguments > 1 ? std::atof(argument[1]) : 60;
  std::vector<long> sizes;
  for (int k = 2; k < arguments; k++) sizes.push_back(std::atol(argument[k]));
  if (sizes.empty()) sizes = {10000, 100000, 1000000, 10000000, 100000000};
  double peaks[2] = {0, 0};
  for (int f64 = 0; f64 < 2; f64++) {
    double g[9];
    if (int error = gpu_peak(f64, 9, g)) { std::fprintf(stderr, "gpu_peak: CUDA error %d\n", error - 1000); return 1; }
    std::vector<double> v(g, g + 9); std::nth_element(v.begin(), v.begin() + 4, v.end()); peaks[f64] = v[4];
    if (v[4] > 0) row("FMA peak", f64 ? "f64" : "f32", 0, 0, "FMA peak", std::vector<double>(g, g + 9), "GFLOP/s");
  }
  const struct { int problem, method; const char* name; } cases[] = {{1, 1, "free body (lean)"}, {2, 1, "heavy top (lean)"}, {1, 0, "free body (as written)"}};
  const int count = 3 * 2 * (int)sizes.size(); int done = 0;
  for (auto& c : cases) for (int f64 = 0; f64 < 2; f64++) {
    bool on = true;
    for (long n : sizes) {
      const double left = seconds - elapsed(), budget = left / (count - done++);
      const char* precision = f64 ? "f64" : "f32";
      if (!on) continue;
      if (left <= 0) { left_out(c.name, precision, n, "no time was left"); continue; }
      on = f64 ? measure<double>(c.problem, c.method, c.name, n, budget, peaks[1]) : measure<float>(c.problem, c.method, c.name, n, budget, peaks[0]);
    }
  }
  return 0;
}
