// Every path through the switch ends in one case, and what it leaves is read behind it.
__device__ float after_switch(float b, float d, int o)
{
    if (d > 0.13f) {
        return b;
    }
    b = 1.4f * sinf(d);
    switch (o) {
        default:
            d = cosf(d * b);
        case 0:
            for (int s = 0; s < o; ++s)
                b = 0.8f * sinf(b + b * b);
            d = sinf((d - b) * d);
        case 1:
            d = cosf(b / (1.2f + d));
    }
    return sinf(d - (b + b));
}

extern "C" __global__ void value_after_guarded_switch(float *y, const float *x, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    y[i] = after_switch(x[i], x[i] * x[i] - 1.0f, i % 2);
}

//--
// kernel = "value_after_guarded_switch"
// of = ["y"]
// wrt = ["x", "y"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// y = {shape="n", fill="uniform(-1,1)"}
// x = {shape="n", fill="uniform(-1,1)"}
// n = 7
