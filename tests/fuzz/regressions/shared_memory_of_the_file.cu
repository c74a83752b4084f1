// shared memory that the file declares, in functions
extern __shared__ float array[];
__shared__ float fixed[32];
__device__ float left(int t) { return array[t > 0 ? t - 1 : 0] * fixed[t]; }
__device__ float both(int t, float v = 2.0f) { return v * left(t); }
__device__ void put(int t, float v) { array[t] = v; fixed[t] = 2.0f * v; }
extern "C" __global__ void shared_memory_of_the_file(const float *x, float *y, int n){
    int t = threadIdx.x; int i = blockIdx.x*blockDim.x+t;
    put(t, i < n ? x[i] : 0.0f);
    __syncthreads();
    if (i < n) y[i] = array[t]*both(t);
}
//--
// kernel = "shared_memory_of_the_file"
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
