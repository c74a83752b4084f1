// A switch before a barrier, outside all loops.
extern "C" __global__ void switch_beside_barriers(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    switch (n) {
        case 1: acc = 2;
        break;
        case 3: acc = x[t] * x[t];
        case 5: acc += x[t];
    } s[t] = acc;
    __syncthreads();
    acc = s[3 - t] * s[t];
    y[t] = acc;
}
//--
// kernel = "switch_beside_barriers"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 3
