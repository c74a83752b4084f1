// A default of a reverse switch doesn't take the cases that owe nothing.
extern "C" __global__ void switch_default_absorbs(int n, float a, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (i % 4) {
        case 0: break;
        case 1:
        case 2: break;
        default: a = 0.5f;
    }
    y[i] = cosf(a);
}
//--
// kernel = "switch_default_absorbs"
// of = ["y"]
// wrt = ["a"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// a = 0.37
// y = {shape="n", fill="uniform(-1,1)"}
