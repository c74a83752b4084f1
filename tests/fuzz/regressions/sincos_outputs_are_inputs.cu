// The outputs of a call are also its inputs: their adjoints are cleared before anything is added.
extern "C" __global__ void sincos_outputs_are_inputs(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i], m = 0.7f;
    sincosf(m * s, &s, &m);
    y[i] = m * s;
}
//--
// kernel = "sincos_outputs_are_inputs"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
