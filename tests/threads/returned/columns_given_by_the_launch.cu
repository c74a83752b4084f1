// Columns of shared memory that the launch sizes.
extern "C" __global__ void columns_given_by_the_launch(const float *x, float *y, int n)
{
    extern __shared__ float s[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < 4; ++k) s[k * blockDim.x + t] = x[i * 4 + k];
    float a = 0.0f;
    for (int k = 0; k < 4; ++k) a += s[k * blockDim.x + t] * s[((k + 1) % 4) * blockDim.x + t];
    y[i] = a;
}
//--
// kernel = "columns_given_by_the_launch"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// shared_bytes = 640
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
