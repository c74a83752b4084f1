// measure_adj: adjoint of measure (template_operators.cu:32).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform template_operators.cu --of y --wrt x,f --template 'F=Longest<float>'
//
// Call with x as it was before measure. Seed adj_y with dJ/dy: it is left alone,
// because measure stores each element of y at most once. dJ/dx is added to adj_x; dJ/df
// is added to adj_f. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   p.x (line 37)    tape_p_x, a register   line 38 overwrites it
//   p.y (line 37)    tape_p_y, a register   line 38 overwrites it
//   p.x (line 38),   reloaded               still in its variable
//   p.y (line 38)
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner       one thread per element
//   adj_f.weight   reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//
// Of the template measure this is the instance with F = Longest<float>.
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Longest_float {
    float weight;
};
struct Point_float {
    float x;
    float y;
};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void measure_adj(const float *x, float *adj_x,
                                       float *y, const float *adj_y,
                                       Longest_float f, Longest_float *adj_f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_f_weight_sum = 0.0f;
    if (i < n) {
        Point_float p;
        p.x = x[2 * i];
        float tape_p_x = p.x;
        p.y = x[2 * i + 1];
        float tape_p_y = p.y;
        Point_float r;
        r.x = p.x * p.x;
        r.y = p.y * p.y;
        Point_float r_2;
        r_2.x = r.x * 2.0f;
        r_2.y = r.y * 2.0f;
        p = r_2;
        Point_float adj_p = {};

        // 39:  y[i] = f(p.x, p.y)
        float g = adj_y[i];
        float g_2 = f.weight * g;
        if (fmaxf(p.x, p.y) == p.x)
            adj_p.x = g_2;
        else
            adj_p.y = g_2;
        adj_f_weight_sum = fmaxf(p.x, p.y) * g;

        // 38:  p * p
        adj_p.y = 2.0f * tape_p_y * 2.0f * adj_p.y;
        adj_p.x = 2.0f * tape_p_x * 2.0f * adj_p.x;

        // 37:  Point<float> p = {x[2 * i], x[2 * i + 1]}
        adj_x[2 * i + 1] += adj_p.y;
        adj_x[2 * i] += adj_p.x;
    }
    block_add(&adj_f->weight, adj_f_weight_sum);
}
