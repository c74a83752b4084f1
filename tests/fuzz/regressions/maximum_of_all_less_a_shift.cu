// A shift of all inputs that cancels: the gradient of c is zero, and what rounding leaves depends on the order.
extern "C" __global__ void maximum_of_all_less_a_shift(int n, const float *x, float c, const float *w, float *y)
{
    __shared__ float part[16], top;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float v = x[i] + c;
    part[t] = v;
    if (t == 3) top = v;
    __syncthreads();
    for (int d = 8; d > 1; d /= 2) {
        if (t < d) part[t] = fmaxf(part[t], part[t + d]);
        __syncthreads();
    }
    float m = part[0];
    __syncthreads();
    m += c;
    float e = exp2f(v - m);
    part[t] = e;
    __syncthreads();
    float s = 0.0f;
    for (int q = 0; q < t + 1; ++q) s += part[q];
    y[i] = part[t] * w[i] / s ;
}

//--
// kernel = "maximum_of_all_less_a_shift"
// of = ["y"]
// wrt = ["x", "c", "w"]
// [launch]
// grid = 2
// block = 16
// [args]
// n = 32
// x = {shape="n", fill="uniform(-1,1)"}
// c = 0.4
// w = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
