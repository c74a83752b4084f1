// s2sad: --of y --wrt x
// Loops over the elements of arrays: by reference, by value, of shared memory, of rows, one that is left.
#define TAPS 3
struct Filter {
    float taps[TAPS];
    float sum;
};

extern "C" __global__ void range_for(const float *x, float *y, int n)
{
    __shared__ float tile[16];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    if (i >= n)
        return;
    Filter f = {{x[i], 2.0f, 0.5f}, 0.0f};
    for (auto &tap : f.taps)
        tap *= tap + 1.0f;
    for (float tap : f.taps)
        f.sum += sinf(tap);
    float m[2][TAPS];
    for (int r = 0; r < 2; ++r)
        for (float &v : m[r])
            v = f.sum * (r + 1);
    for (const float &t : tile) {
        if (t < 0.0f)
            continue;
        m[1][1] += t * f.taps[0];
        if (m[1][1] > 9.0f)
            break;
    }
    float s = 0.0f;
    for (auto &row : m)
        for (float v : row)
            s += v * v;
    y[i] = s;
}
