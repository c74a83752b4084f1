// Small kernels with every contract that a parameter of an adjoint can have.
#define WIDTH 16

// Overwrites every element of y.
extern "C" __global__ void overwrite(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i]) + 0.5f * x[i];
}

// Leaves the borders of y as they were.
extern "C" __global__ void interior(const float *x, float *y, float r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = x[i] + r * (x[i - 1] * x[i + 1] - x[i]);
}

// Only adds.
extern "C" __global__ void add(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += 0.3f * x[i] * x[i];
}

// Adds where the integers say, several times to some elements.
extern "C" __global__ void scatter(const float *x, const int *to, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&y[to[i]], 0.5f * cosf(x[i]));
}

// In place, from its own old value and that of another array.
extern "C" __global__ void in_place(float *x, const float *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * cosf(x[i] * w[i]) + 0.2f;
}

// Reads what it wrote: y is stored twice.
extern "C" __global__ void own_output(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.5f * x[i];
        y[i] = y[i] * x[i] + sinf(y[i]);
    }
}

// A workspace in global memory: nobody reads it afterwards.
extern "C" __global__ void workspace(const float *x, float *temporary, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        temporary[i] = expf(-x[i] * x[i]);
        y[i] = temporary[i] * temporary[i] + 0.1f * y[i];
    }
}

// Sums of blocks through shared memory.
extern "C" __global__ void block_sums(const float *x, float *sums, int n)
{
    __shared__ float part[WIDTH];
    int t = threadIdx.x;
    int i = blockIdx.x * WIDTH + t;
    part[t] = i < n ? x[i] * x[i] : 0.0f;
    __syncthreads();
    for (int s = WIDTH / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] += 0.1f * part[0];
}

// Two results; one of them depends on no real number.
extern "C" __global__ void two(const float *x, float *y, float *ramp, float r, int t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] * r + 0.01f * t * x[(i + 1) % n];
        ramp[i] = 0.1f * i;
    }
}

// No derivative at all.
extern "C" __global__ void fill(float *y, int *to, int t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 0.05f * (i + t) - 0.3f;
        to[i] = (to[i] + 1) % n;
    }
}

// Swaps two arrays, and so writes both.
extern "C" __global__ void rotate(float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float old = x[i];
        x[i] = 0.8f * old - 0.6f * y[i];
        y[i] = 0.6f * old + 0.8f * y[i] * old;
    }
}

// A loop whose length depends on the values.
extern "C" __global__ void newton(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float r = 1.0f;
    while (fabsf(r * r - 1.0f - x[i] * x[i]) > 1e-9f * r * r)
        r = 0.5f * (r + (1.0f + x[i] * x[i]) / r);
    y[i] = r;
}

// Needs a tape in global memory, as long as `trips` says.
extern "C" __global__ void iterate(float *x, const float *w, int trips, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < trips && s < 10.0f; ++k)
        s = 0.9f * s + 0.3f * sinf(s * w[i]) * w[k];
    x[i] = s;
}

// Where a result goes depends on the order of threads: only the split shape differentiates it.
extern "C" __global__ void compact(const float *x, float *y, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(&count[0], 1);
        y[slot] = x[i] * x[i];
    }
}

extern "C" __global__ void reset(int *count)
{
    count[0] = 0;
}

// Weights in constant memory.
__constant__ float taps[3];
extern "C" __global__ void filter(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = taps[0] * x[i - 1] + taps[1] * x[i] * x[i] + taps[2] * x[i + 1];
}
