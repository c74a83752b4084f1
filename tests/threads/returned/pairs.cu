// Two neighbouring elements for each thread, one of them stored again.
extern "C" __global__ void pairs(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s[2 * t] = x[i]; s[2 * t + 1] = x[i + 1] * x[i];
    float a = s[2 * t] * s[2 * t + 1];
    s[2 * t] = a; 
    y[i] = s[2 * t] * s[2 * t + 1];
}
//--
// kernel = "pairs"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="600", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
