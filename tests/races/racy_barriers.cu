// Kernels with barriers or warp operations, each with one race: between the marked lines.
//: grid 2 block 64 x=f[128] y=f[128]
extern "C" __global__ void no_barrier_after_the_load(const float *x, float *y)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    tile[t] = x[i];  // <- tile
    y[i] = tile[63 - t];  // <- tile
    __syncthreads();
}

//: grid 2 block 64 x=f[128] y=f[128]
extern "C" __global__ void no_barrier_before_the_refill(const float *x, float *y)
{
    __shared__ float tile[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float s = 0;
    for (int k = 0; k < 2; ++k) {
        tile[t] = x[i] * k;  // <- tile
        __syncthreads();
        s += tile[(t + 1) % 64];  // <- tile
    }
    y[i] = s;
}

//: grid 2 block 64 x=f[128] y=f[2]
extern "C" __global__ void reduction_without_a_barrier_inside(const float *x, float *y)
{
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2)
        if (t < d)
            part[t] += part[t + d];  // <- part
    if (t == 0)
        y[blockIdx.x] = part[0];
}

//: grid 1 block 32 x=f[32] y=f[64]
extern "C" __global__ void neighbours_accumulate(const float *x, float *y)
{
    __shared__ float s[40];
    int t = threadIdx.x;
    s[t] = 0;
    if (t < 8)
        s[32 + t] = 0;
    __syncthreads();
    for (int k = 0; k < 3; ++k)
        s[t + k] += x[t];  // <- s
    __syncthreads();
    y[t] = s[t];
}

//: grid 2 block 32 shared 128 x=f[64] y=f[64]
extern "C" __global__ void dynamic_memory(const float *x, float *y)
{
    extern __shared__ float heap[];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    heap[t] = x[i];  // <- heap
    y[i] = heap[t ^ 1];  // <- heap
    __syncthreads();
}

//: grid 2 block 32 x=f[64] y=f[64]
extern "C" __global__ void sum_read_too_early(const float *x, float *y)
{
    __shared__ float total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, x[blockIdx.x * 32 + threadIdx.x]);  // <- total
    y[blockIdx.x * 32 + threadIdx.x] = total;  // <- total
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void a_warp_is_no_barrier(const float *x, float *y)
{
    __shared__ float s[32];
    s[threadIdx.x] = x[threadIdx.x];  // <- s
    y[threadIdx.x] = s[31 - threadIdx.x];  // <- s
    __syncwarp();
}

//: grid 1 block 64 x=f[64] y=f[64]
extern "C" __global__ void two_warps_and_syncwarp(const float *x, float *y)
{
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];  // <- s
    __syncwarp();
    y[threadIdx.x] = s[63 - threadIdx.x];  // <- s
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void half_a_warp_meets(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];  // <- s
    if (t < 16)
        __syncwarp(0xffff);
    else
        __syncwarp(0xffff0000);
    y[t] = s[31 - t];  // <- s
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void shuffles_order_no_memory(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];  // <- s
    float other = __shfl_xor_sync(0xffffffff, x[t], 1);
    y[t] = other + s[t ^ 1];  // <- s
}

//: grid 2 block 32 x=f[66] y=f[64]
extern "C" __global__ void halo_by_the_first_thread(const float *x, float *y)
{
    __shared__ float s[34];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 1] = x[i + 1];
    __syncthreads();
    if (t == 0) {
        s[0] = x[i];
        s[33] = x[i + 33];  // <- s
    }
    y[i] = s[t] + s[t + 2];  // <- s
}

//: grid 1 block (8, 8) x=f[64] y=f[64]
extern "C" __global__ void transposed_without_a_barrier(const float *x, float *y)
{
    __shared__ float tile[8][9];
    int c = threadIdx.x, r = threadIdx.y;
    tile[r][c] = x[r * 8 + c];  // <- tile
    y[r * 8 + c] = tile[c][r];  // <- tile
    __syncthreads();
}

//: grid 2 block 32 x=f[64] u=f[64] y=f[64]
extern "C" __global__ void a_barrier_orders_one_block(const float *x, float *u, float *y)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    u[i] = x[i];  // <- u
    __syncthreads();
    y[i] = u[63 - i];  // <- u
}

//: grid 2 block 8 y=f[4] z=f[16]
extern "C" __global__ void read_by_an_earlier_block_first(float *y, float *z)
{
    int i = blockIdx.x * 8 + threadIdx.x;
    if (i == 0 || blockIdx.x == 1)
        z[i] = y[0];  // <- y
    __syncthreads();
    if (i == 8)
        y[0] = 1;  // <- y
}

//: grid 1 block 64 s0=f[2] z=f[64]
extern "C" __global__ void read_by_another_warp_first(float *s0, float *z)
{
    int t = threadIdx.x;
    if (t == 40 || t == 1 || t == 2)
        z[t] = s0[0];  // <- s0
    if (t < 32)
        __syncwarp();
    if (t == 1)
        s0[0] = 2;  // <- s0
}

//: grid 2 block 16 x=f[32] y=f[32] total=f[1]
extern "C" __global__ void ticket_without_a_fence(const float *x, float *y, float *total)
{
    __shared__ int last;
    int i = blockIdx.x * 16 + threadIdx.x;
    y[i] = x[i] * 2;  // <- y
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd((int *)total, 1) >= 0;
    __syncthreads();
    if (last && blockIdx.x == 1 && threadIdx.x == 0)
        y[16] = y[3];  // <- y
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void scan_with_one_barrier(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        float v = t >= d ? s[t - d] : 0;  // <- s
        s[t] += v;  // <- s
        __syncthreads();
    }
    y[t] = s[t];
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void cleared_while_others_add(const float *x, float *y)
{
    __shared__ float s;
    if (threadIdx.x == 0)
        s = 0;  // <- s
    atomicAdd(&s, x[threadIdx.x]);  // <- s
    __syncthreads();
    y[threadIdx.x] = s;
}

struct pair {
    float a, b;
};

__device__ pair operator+(pair p, pair q)
{
    pair s = {p.a + q.a, p.b + q.b};
    return s;
}

//: grid 1 block 32 x=f[32] y=f[32]
extern "C" __global__ void pairs_by_value_without_a_barrier(const float *x, float *y)
{
    __shared__ pair s[32];
    int t = threadIdx.x;
    s[t].a = s[t].b = x[t];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2)
        if (t < d)
            s[t] = s[t] + s[t + d];  // <- s
    if (t == 0)
        y[0] = s[0].a * s[0].b;
}
