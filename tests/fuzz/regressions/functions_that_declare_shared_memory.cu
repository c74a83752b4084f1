// functions that declare the launch's shared memory, each under its own name
__device__ void load(const float *x, int i, int n) { extern __shared__ float buf[]; buf[threadIdx.x] = i < n ? x[i] : 0.0f; }
__device__ float use() { extern __shared__ float other[]; return other[threadIdx.x] * other[blockDim.x - 1 - threadIdx.x]; }
extern "C" __global__ void functions_that_declare_shared_memory(const float *x, float *y, int n){
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    load(x, i, n);
    __syncthreads();
    float u = use();
    if (i < n) y[i] = u;
}
//--
// kernel = "functions_that_declare_shared_memory"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// shared_bytes = 512
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
