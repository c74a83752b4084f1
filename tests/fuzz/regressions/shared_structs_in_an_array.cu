// Shared memory as an array of structs that are defined there.
extern "C" __global__ void shared_structs_in_an_array(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ struct Cell { float a, b; } sm[32];
    sm[threadIdx.x].a = i < n ? x[i] : 0.0f;
    sm[threadIdx.x].b = sm[threadIdx.x].a * 0.5f;
    __syncthreads();
    if (i < n)
        y[i] = sm[(threadIdx.x + 1) % 32].a * sm[(threadIdx.x + 3) % 32].b;
}
//--
// kernel = "shared_structs_in_an_array"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
