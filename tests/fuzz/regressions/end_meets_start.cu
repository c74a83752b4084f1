// What one iteration's end and the next one's start add to meets, with no barrier between them.
extern "C" __global__ void end_meets_start(const float *x, float *y)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    for (int q = t; q < 16; q += blockDim.x) s[q] = sinf(x[q]);
    __syncthreads();
    for (int k = 0; k < 3; ++k) {
        acc += s[t] * (k + 1);
        __syncthreads();
        acc += acc * s[t + 1];
    }
    y[t] = acc;
}
//--
// kernel = "end_meets_start"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
