// s2sad: --of y --wrt x,filter,gain,lens --companion
// What is included behind its primal has that file's types, constants, variables and functions.
#define STEPS 4
#define HALF_STEPS (STEPS / 2)
#define BOOST 3
typedef float real;
enum { RADIUS = 1 };
struct Lens { int stride; real scale; };
__constant__ real weight[2] = {0.5f, 0.25f};
__constant__ real filter[2 * RADIUS + 1];
__constant__ Lens lens;
__device__ real gain;

static __device__ real soft(real v)
{
    return v / (1 + fabsf(v));
}

template <class T>
static __device__ T square(T v)
{
    return v * v;
}

extern "C" __global__ void blur(const real *x, real *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < RADIUS * lens.stride || i >= n - RADIUS * lens.stride)
        return;
    real s = 0;
    for (int k = -RADIUS; k <= RADIUS; ++k)
        s += filter[k + RADIUS] * x[i + k * lens.stride] * BOOST;
    for (int t = 0; t < HALF_STEPS; ++t)
        s = soft(square(s) * gain * weight[t % 2]) * lens.scale;
    y[i] = s;
}
#undef BOOST
#define g 9.81f
