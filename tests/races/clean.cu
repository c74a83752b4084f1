// Kernels without a race: nothing is reported.
//: grid 2 block 64 x=f[128] y=f[128] n=100
extern "C" __global__ void saxpy(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += 2 * x[i];
}

//: grid 2 block 64 x=f[128] y=f[128] n=100
extern "C" __global__ void stencil_gathers(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = x[i - 1] + x[i] + x[i + 1];
}

//: grid 2 block 64 x=f[128] y=f[4] n=100
extern "C" __global__ void atomic_sum(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[i % 3], x[i]);
}

//: grid 2 block 64 x=f[128] y=f[2]
extern "C" __global__ void tree_reduction(const float *x, float *y)
{
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = part[0];
}

//: grid 2 block (8, 8) x=f[128] y=f[128]
extern "C" __global__ void transposed_tile(const float *x, float *y)
{
    __shared__ float tile[8][9];
    int c = threadIdx.x, r = threadIdx.y, base = blockIdx.x * 64;
    tile[r][c] = x[base + r * 8 + c];
    __syncthreads();
    y[base + r * 8 + c] = tile[c][r];
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void scan_with_two_barriers(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        float v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    y[t] = s[t];
}

//: grid 2 block 64 x=f[128] y=f[4]
extern "C" __global__ void warp_sum_by_shuffles(const float *x, float *y)
{
    float v = x[blockIdx.x * 64 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        y[blockIdx.x * 2 + threadIdx.x / 32] = v;
}

//: grid 1 block 64 x=f[64] y=f[64]
extern "C" __global__ void warp_sum_in_shared_memory(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = x[t];
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        float v = lane < d ? s[t + d] : 0;
        __syncwarp();
        s[t] += v;
        __syncwarp();
    }
    y[t] = s[t - lane];
}

//: grid 2 block 64 x=f[128] bins=i[8]
extern "C" __global__ void histogram_by_blocks(const float *x, int *bins)
{
    __shared__ int own[8];
    int t = threadIdx.x;
    if (t < 8)
        own[t] = 0;
    __syncthreads();
    atomicAdd(&own[(int)(fabsf(x[blockIdx.x * 64 + t]) * 4) % 8], 1);
    __syncthreads();
    if (t < 8)
        atomicAdd(&bins[t], own[t]);
}

//: grid 2 block 16 x=f[64] y=f[64] n=60
extern "C" __global__ void grid_stride(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = x[i] + blockIdx.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] *= 2;
}

//: grid 2 block 16 x=f[128] y=f[128]
extern "C" __global__ void four_at_once(const float *x, float *y)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    float4 v = reinterpret_cast<const float4 *>(x)[i];
    v.x += v.w;
    reinterpret_cast<float4 *>(y)[i] = v;
    y[4 * i + 1] = 0;
}

//: grid 1 block 64 x=f[64] y=u[64]
extern "C" __global__ void neighbouring_bytes(const float *x, unsigned char *y)
{
    y[threadIdx.x] = x[threadIdx.x] > 0;
}

//: grid 1 block 32 x=f[32] y=h[64]
extern "C" __global__ void neighbouring_halves_of_words(const float *x, short *y)
{
    y[2 * threadIdx.x] = 1;
    y[2 * threadIdx.x + 1] = (short)(x[threadIdx.x] * 10);
}

struct Pair {
    float a, b;
};

//: grid 1 block 32 x=f[64] y=f[64]
extern "C" __global__ void each_its_own_field(const float *x, float *y)
{
    Pair *pairs = (Pair *)y;
    const Pair *from = (const Pair *)x;
    if (threadIdx.x % 2)
        pairs[threadIdx.x / 2].a = from[threadIdx.x].b;
    else
        pairs[threadIdx.x / 2].b = from[threadIdx.x].a;
}

//: grid (2, 2) block (4, 4) x=f[64] y=f[64]
extern "C" __global__ void rows_and_columns(const float *x, float *y)
{
    int c = blockIdx.x * 4 + threadIdx.x, r = blockIdx.y * 4 + threadIdx.y;
    y[r * 8 + c] = x[c * 8 + r];
}

//: grid 2 block 16 x=f[32] y=f[32] tape=b[256]
extern "C" __global__ void tape_by_slots(const float *x, float *y, char *tape)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    double *values = (double *)tape;
    values[i] = x[i];
    tape[8 * i] = (char)(x[i] > 0);
    y[i] = (float)values[i];
}

//: grid 2 block 64 x=f[128] y=f[128] idx=permutation[128]
extern "C" __global__ void scatter_by_a_permutation(const float *x, float *y, const int *idx)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    y[idx[i]] = x[i];
}

//: grid 3 block 16 x=f[48] partial=f[3] y=f[1] ticket=i[1]
extern "C" __global__ void last_block_sums(const float *x, float *partial, float *y, int *ticket)
{
    __shared__ float s[16];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 16 + t];
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int k = 0; k < 16; ++k)
            sum += s[k];
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        float sum = 0;
        for (int b = 0; b < gridDim.x; ++b)
            sum += partial[b];
        y[0] = sum;
    }
}

//: grid 2 block 32 x=f[64] y=f[1] count=i[2]
extern "C" __global__ void several_atomics_one_element(const float *x, float *y, int *count)
{
    float v = x[blockIdx.x * 32 + threadIdx.x];
    atomicAdd(&count[0], 1);
    atomicMax(&count[0], (int)v);
    atomicExch(&y[0], v);
    atomicCAS(&count[1], 0, 1);
}

//: grid 2 block 32 x=f[64] y=f[64] n=50
extern "C" __global__ void some_return_early(const float *x, float *y, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i];
    y[i] += 1;
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void until_none_is_left(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    float v = fabsf(x[t]);
    while (__syncthreads_or(v > 0.5f)) {
        float next = s[(t + 1) % 32];
        __syncthreads();
        s[t] = 0.5f * (s[t] + next);
        v *= 0.5f;
    }
    y[t] = s[t];
}

//: grid 2 block 32 shared 384 x=f[64] y=f[64]
extern "C" __global__ void carved_in_two(const float *x, float *y)
{
    extern __shared__ char memory[];
    double *d = (double *)memory;
    float *f = (float *)(memory + 256);
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    d[t] = x[i];
    f[t] = 2 * x[i];
    __syncthreads();
    y[i] = (float)d[31 - t] + f[(t + 1) % 32];
}

//: grid 1 block 16 x=f[32] y=f[32]
extern "C" __global__ void odd_even_sort(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    for (int round = 0; round < 32; ++round) {
        __syncthreads();
        int i = 2 * t + round % 2;
        if (i + 1 < 32 && s[i] > s[i + 1]) {
            float h = s[i];
            s[i] = s[i + 1];
            s[i + 1] = h;
        }
    }
    __syncthreads();
    y[2 * t] = s[2 * t];
    y[2 * t + 1] = s[2 * t + 1];
}

//: grid (2, 2) block (8, 8) a=f[256] b=f[256] y=f[256]
extern "C" __global__ void tiled_product(const float *a, const float *b, float *y)
{
    __shared__ float ta[8][8], tb[8][8];
    int c = threadIdx.x, r = threadIdx.y, column = blockIdx.x * 8 + c, row = blockIdx.y * 8 + r;
    float sum = 0;
    for (int k = 0; k < 16; k += 8) {
        ta[r][c] = a[row * 16 + k + c];
        tb[r][c] = b[(k + r) * 16 + column];
        __syncthreads();
        for (int j = 0; j < 8; ++j)
            sum += ta[r][j] * tb[j][c];
        __syncthreads();
    }
    y[row * 16 + column] = sum;
}

//: grid 2 block 16 x=d[32] y=d[1]
extern "C" __global__ void sum_by_compare_and_swap(const double *x, double *y)
{
    unsigned long long *bits = (unsigned long long *)y;
    unsigned long long seen = 0, before;
    do {
        before = seen;
        double sum = __longlong_as_double((long long)before) + x[blockIdx.x * 16 + threadIdx.x];
        seen = atomicCAS(bits, before, (unsigned long long)__double_as_longlong(sum));
    } while (seen != before);
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void halves_of_a_warp(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 16)
        __syncwarp(0xffff);
    else
        __syncwarp(0xffff0000);
    y[t] = s[t ^ 5];
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void cached_reads(const float *x, float *y)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = __ldg(&x[63 - i]) + __ldg(x);
}

//: grid 2 block 32 u=f[64] y=f[64]
extern "C" __global__ void all_read_then_one_writes(float *u, float *y)
{
    int first = blockIdx.x * 32, i = first + threadIdx.x;
    y[i] = u[first] + u[first + 31];
    __syncthreads();
    if (threadIdx.x == 7) {
        u[first] = 1;
        u[first + 31] = 2;
    }
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void two_buffers_one_barrier(const float *x, float *y)
{
    __shared__ float s[2][32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[0][t] = x[i];
    for (int k = 0; k < 6; ++k) {
        __syncthreads();
        s[1 - k % 2][t] = 0.5f * (s[k % 2][t] + s[k % 2][(t + 1) % 32]);
    }
    y[i] = s[0][t];
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void same_shared_memory_in_every_block(const float *x, float *y)
{
    __shared__ float first;
    if (threadIdx.x == blockIdx.x)
        first = x[blockIdx.x];
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = first;
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void private_arrays(const float *x, float *y)
{
    float own[8];
    int i = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 8; ++k)
        own[(k * 3 + i) % 8] = x[i] * k;
    float whole, part = modff(own[i % 8], &whole);
    y[i] = whole + part;
}

//: grid 2 block 64 x=f[128] y=f[128]
extern "C" __global__ void uniform_condition_around_a_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    if (gridDim.x > 1) {
        __syncthreads();
        s[t] += 1;
        __syncthreads();
    }
    y[i] = s[(t + 1) % 64];
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void fence_of_a_block_and_barrier(const float *x, float *y)
{
    int first = blockIdx.x * 32, i = first + threadIdx.x;
    y[i] = x[i];
    __threadfence_block();
    __syncthreads();
    float other = y[first + 31 - threadIdx.x];
    __syncthreads();
    y[i] += other;
}

__device__ int positive;
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};

//: grid 2 block 16 x=f[34] y=f[32]
extern "C" __global__ void variables_of_the_module(const float *x, float *y)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    float s = 0;
    for (int k = 0; k < 3; ++k)
        s += weights[k] * x[i + k];
    if (s > 0)
        atomicAdd(&positive, 1);
    y[i] = s + (clock64() < 0);
}
