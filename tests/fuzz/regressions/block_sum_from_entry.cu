// what a block's element held at entry counts, too, and is an independent
extern "C" __global__ void block_sum_from_entry(const float *x, float *total, float *y, int n) {
    int b = blockIdx.x, i = b * blockDim.x + threadIdx.x;
    float before = total[b];
    __syncthreads();
    if (i < n && x[i] > 0.0f) atomicAdd(&total[b], x[i] * before);
    __syncthreads();
    if (i < n) y[i] = x[i] * total[b] + before;
    __syncthreads();
    if (threadIdx.x == 1) total[b] *= 2.0f;
}
//--
// kernel = "block_sum_from_entry"
// of = ["y", "total"]
// wrt = ["x", "total"]
// [launch]
// grid = 3
// block = 32
// [args]
// n = 80
// x = { shape = 96, fill = "normal" }
// total = { shape = 3, fill = "uniform(0.5, 2.0)" }
// y = { shape = 96, fill = "zeros" }
