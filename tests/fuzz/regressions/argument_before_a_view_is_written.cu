// An argument is what it was when the function was called, also where the function writes through a struct.
struct View {
    float *at;

    __device__ float doubled(int i, float before) const
    {
        at[i] *= 2.0f;
        return at[i + 1] * before;
    }
};

__device__ float squared(View v, int i, float before)
{
    v.at[i] *= v.at[i];
    return v.at[i + 1] + before;
}

extern "C" __global__ void argument_before_a_view_is_written(float *u, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        View v = {u};
        int k = 2 * i;
        float s = squared(v, k, u[k]);
        float t = v.doubled(k, u[k] * u[k + 1]);
        float pair[2] = {u[k], v.doubled(k, 1.0f)};
        y[i] = s * t + pair[0] * pair[1];
    }
}
//--
// kernel = "argument_before_a_view_is_written"
// of = ["y", "u"]
// wrt = ["u"]
// [launch]
// grid = 2
// block = 4
// [args]
// n = 7
// u = {shape="2 * n", fill="normal"}
// y = {shape="n", fill="zeros"}
