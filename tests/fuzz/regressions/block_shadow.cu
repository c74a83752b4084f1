// A variable of an inner block hid the one that was assigned to after the block.
extern "C" __global__ void block_shadow(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float t = 0.5f;
    for (int k = 0; k < 3; ++k) {
        float s = t * x[i];
        {
            float t = s * s;
            s += t;
        }
        t += s * s;
    }
    y[i] = t;
}
//--
// kernel = "block_shadow"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
