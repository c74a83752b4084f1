// Kernels without barriers, each with one race: between the marked lines, on the array that they name.
//: grid 2 block 64 x=f[128] y=f[1] n=100
extern "C" __global__ void sum_without_atomic(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[0] += x[i];  // <- y
}

//: grid 2 block 64 x=f[128] y=f[130] n=100
extern "C" __global__ void three_sites_each_injective(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = x[i];
        y[i] += t;  // <- y
        y[i + 1] += t;  // <- y
    }
}

//: grid 2 block 64 x=f[128] y=f[130] n=100
extern "C" __global__ void two_threads_store(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i / 2] = x[i];  // <- y
}

//: grid 2 block 64 x=f[128] y=f[130] n=100
extern "C" __global__ void reads_what_a_neighbour_writes(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float right = y[i + 1];  // <- y
        y[i] = right + x[i];  // <- y
    }
}

//: grid 2 block 64 x=f[128] y=f[1] n=100
extern "C" __global__ void cleared_beside_an_atomic(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        y[0] = 0;  // <- y
    if (i < n)
        atomicAdd(&y[0], x[i]);  // <- y
}

//: grid 2 block 64 x=f[128] y=f[4] n=100
extern "C" __global__ void reads_a_sum_that_grows(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&y[0], x[i]);  // <- y
    if (i == n)
        y[1] = y[0];  // <- y
}

//: grid 2 block 64 x=f[128] y=f[32] idx=repeat[128] n=100
extern "C" __global__ void scatter_to_repeated_indices(const float *x, float *y, const int *idx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[idx[i]] = x[i];  // <- y
}

//: grid 1 block 2 y=f[4]
extern "C" __global__ void both_read_and_the_second_writes(float *y)
{
    float before = y[0];  // <- y
    if (threadIdx.x == 1)
        y[0] = before + 1;  // <- y
}

//: grid 2 block (8, 8) x=f[128] y=f[16]
extern "C" __global__ void index_without_a_dimension(const float *x, float *y)
{
    y[blockIdx.x * 8 + threadIdx.x] = x[threadIdx.y * 8 + threadIdx.x];  // <- y
}

//: grid (2, 2, 2) block 8 x=f[64] y=f[32]
extern "C" __global__ void index_without_a_layer(const float *x, float *y)
{
    int column = blockIdx.x * 8 + threadIdx.x;
    int from = (blockIdx.z * 2 + blockIdx.y) * 16 + column;
    y[blockIdx.y * 16 + column] = x[from];  // <- y
}

//: grid 2 block 64 x=f[128] gamma=f[64]
extern "C" __global__ void owned_in_a_launch_of_one_block(const float *x, float *gamma)
{
    gamma[threadIdx.x] += x[blockIdx.x * 64 + threadIdx.x];  // <- gamma
}

//: grid 1 block 8 x=d[8] y=d[4]
extern "C" __global__ void remainder_of_the_index(const double *x, double *y)
{
    y[threadIdx.x % 4] = x[threadIdx.x];  // <- y
}

//: grid 1 block 8 x=f[8] y=u[4]
extern "C" __global__ void two_threads_one_byte(const float *x, unsigned char *y)
{
    y[threadIdx.x / 2] = (unsigned char)(3 + threadIdx.x);  // <- y
}

__device__ void put(float *where, float value)
{
    *where = value;  // <- y put
}

//: grid 2 block 64 x=f[128] y=f[64] marks=put
extern "C" __global__ void stores_in_a_function(const float *x, float *y)
{
    put(&y[threadIdx.x], x[blockIdx.x * 64 + threadIdx.x]);
}

//: grid 1 block 8 x=f[64] y=f[64]
extern "C" __global__ void four_at_once_and_one(const float *x, float *y)
{
    int i = threadIdx.x;
    reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];  // <- y
    y[4 * ((i + 1) % 8) + 2] = 1;  // <- y
}

//: grid 2 block 32 count=i[2] x=f[64]
extern "C" __global__ void counter_without_atomic(int *count, const float *x)
{
    if (x[blockIdx.x * 32 + threadIdx.x] > 0)
        count[1]++;  // <- count
}

//: grid 2 block 8 y=f[2]
extern "C" __global__ void exchanged_and_read(float *y)
{
    if (threadIdx.x == 0)
        atomicExch(&y[0], 3.0f);  // <- y
    else if (threadIdx.x == 7)
        y[1] += y[0];  // <- y
}

//: grid 2 block 16 x=f[32] tape=b[128]
extern "C" __global__ void two_threads_one_slot(const float *x, char *tape)
{
    float *slots = (float *)tape;
    int i = blockIdx.x * 16 + threadIdx.x;
    slots[i / 2] = x[i];  // <- tape
}

//: grid 2 block 16 x=f[32] y=f[32]
extern "C" __global__ void cached_read_of_what_is_written(const float *x, float *y)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    float t = __ldg(&y[31 - i]);  // <- y
    y[i] = t + x[i];  // <- y
}

//: grid 2 block 16 x=f[64] y=f[64] n=64
extern "C" __global__ void stride_of_one_block(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        y[i] = x[i] + blockIdx.x;  // <- y
}

//: grid 2 block 32 x=f[64] bins=i[8]
extern "C" __global__ void histogram(const float *x, int *bins)
{
    int bin = (int)(fabsf(x[blockIdx.x * 32 + threadIdx.x]) * 4) % 8;
    bins[bin] = bins[bin] + 1;  // <- bins
}

struct Particle {
    float x, v;
};

//: grid 1 block 16 p=f[32] y=f[16]
extern "C" __global__ void field_of_a_neighbour(float *p, float *y)
{
    Particle *all = (Particle *)p;
    int i = threadIdx.x;
    all[i].x += 0.1f * all[i].v;
    all[i].v = all[(i + 1) % 16].v * 0.5f;  // <- p
    y[i] = all[i].x;
}

//: grid 3 block 4 x=f[16] partial=f[4] y=f[2] n=3
extern "C" __global__ void fence_and_no_flag(const float *x, float *partial, float *y, int n)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x[blockIdx.x];  // <- partial
        __threadfence();
        if (blockIdx.x == n - 1)
            y[0] = partial[0] + partial[1];  // <- partial
    }
}

//: grid 1 block 4 x=f[16] y=f[4]
extern "C" __global__ void loop_that_meets_the_next_thread(const float *x, float *y)
{
    float s = 0;
    for (int k = 0; k < 2; ++k)
        y[(threadIdx.x + k) % 4] = s += x[threadIdx.x + k];  // <- y
}

__device__ int found_at[2];

//: grid 2 block 16 x=f[32]
extern "C" __global__ void variable_of_the_module(const float *x)
{
    int i = blockIdx.x * 16 + threadIdx.x;
    if (x[i] > 0)
        found_at[1] = i;  // <- found_at
}
