// A block sorts until nothing moves.
extern "C" __global__ void odd_even_sort(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    if (blockIdx.x >= n)
        return;
    s[t] = x[blockIdx.x * 32 + t];
    __syncthreads();
    for (int k = 0; k < 40; ++k) {
        int moved = 0;
        for (int p = 0; p < 2; ++p) {
            int l = 2 * t + p;
            if (l + 1 < 32 && s[l] > s[l + 1]) {
                float h = s[l];
                s[l] = s[l + 1];
                s[l + 1] = h;
                moved = 1;
            }
            __syncthreads();
        }
        if (!__syncthreads_or(moved))
            break;
    }
    y[blockIdx.x * 32 + t] = s[t];
}
//--
// kernel = "odd_even_sort"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
