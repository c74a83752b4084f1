// a block counts in global memory, and loops as often; two arrays, one of integers
extern "C" __global__ void counted_by_a_block(const float *x, int *many, float *sum, float *y) {
    if (threadIdx.x == 0 && threadIdx.y == 0) { many[blockIdx.x] = 0; sum[(int)blockIdx.x] = 0.5f; }
    __syncthreads();
    int t = threadIdx.y * 8 + threadIdx.x;
    float v = x[blockIdx.x * 32 + t];
    if (v > 0.4f) atomicAdd(many + blockIdx.x, 1);
    atomicAdd(&sum[blockIdx.x], v * v);
    __syncthreads();
    float r = v;
    for (int k = 0; k < many[blockIdx.x] && k < 12; ++k) r = sinf(r) * sum[blockIdx.x];
    y[blockIdx.x * 32 + t] = r;
}
//--
// kernel = "counted_by_a_block"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = [8, 4]
// [args]
// x = { shape = 64, fill = "uniform(0.0, 0.5)" }
// many = { shape = 2, fill = "zeros" }
// sum = { shape = 2, fill = "zeros" }
// y = { shape = 64, fill = "zeros" }
