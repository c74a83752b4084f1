// A countdown that stops before zero fills its tape from the first slot on.
extern "C" __global__ void tape_slot_down_to_one(unsigned n, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 1.0f;
    for (unsigned k = n - 1; k != 0u; k--) s = s * x[k] + sinf(s);
    y[i] = s;
}
//--
// kernel = "tape_slot_down_to_one"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
