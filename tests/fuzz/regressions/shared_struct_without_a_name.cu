// Shared memory as a struct without a name.
extern "C" __global__ void shared_struct_without_a_name(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ struct { float a[32]; float b[32][2]; } sm;
    sm.a[threadIdx.x] = i < n ? x[i] : 0.0f;
    sm.b[threadIdx.x][1] = sm.a[threadIdx.x] * sm.a[threadIdx.x];
    __syncthreads();
    if (i < n)
        y[i] = sm.a[(threadIdx.x + 1) % 32] * sm.b[(threadIdx.x + 3) % 32][1];
}
//--
// kernel = "shared_struct_without_a_name"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
