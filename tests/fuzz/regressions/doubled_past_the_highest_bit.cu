// An unsigned counter that is doubled, and one more: it has one value more than its bits, and the tape a slot.
extern "C" __global__ void doubled_past_the_highest_bit(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    unsigned j = 0;
    int k = 0;
    while (true) {
        s = 0.6f * s * s + 0.3f * x[(i + k++) % n];
        if (j > 0x7fffffffu)
            break;
        j = 2 * j + 1;
    }
    unsigned char c = 0;
    while (c < 255) {
        s = 0.7f * s * s + 0.2f * x[(i + k++) % n];
        c = 2 * c + 1;
    }
    y[i] = s;
}
//--
// kernel = "doubled_past_the_highest_bit"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="7", fill="uniform(0.2,1.2)"}
// y = {shape="7", fill="zeros"}
// n = 7
