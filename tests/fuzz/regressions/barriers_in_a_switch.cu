// Cases with barriers, one that falls into the next.
extern "C" __global__ void barriers_in_a_switch(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    float acc = 0;
    __shared__ float s[16];
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 5; ++k) {
        acc += s[3 - t] * s[t];
        switch (k) {
            case 1: __syncthreads();
            s[t] = acc;
            break;
            case 3: __syncthreads();
            s[3 - t] = sinf(acc);
            default: acc *= 0.5f;
        } __syncthreads();
    }
    y[t] = acc;
}
//--
// kernel = "barriers_in_a_switch"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="16", fill="uniform(0.2,1.2)"}
// y = {shape="32", fill="uniform(-1,1)"}
// n = 3
