// s2sad: --of x,y --wrt x,w,s
// A row per thread, smoothed in place: the window's ends are one of two, of which the host knows one,
// and each element is recorded before the next store. The second part counts in steps of so many lanes.
__global__ void one_sided_window(float *x, const float *w, const float *s, float *y, int n, int size)
{
    __shared__ int turn[64];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float *line = x + row * n;
    for (int i = 0; i < n; i = i + 1) {
        int half = (size - 1) / 2;
        int first = max(i - half, 0);
        int last = min(i + half + 1, n);
        float sum = 0.0f;
        for (int c = first; c < last; c = c + 1)
            sum += line[c] * line[c] * w[c];
        line[i] = sum;
    }

    float v = 1.0f;
    for (int start = 0; start < 128; start = start + 64) {
        turn[threadIdx.x] = (start + threadIdx.x * 5) % 7;
        __syncthreads();
        for (int k = 0; k < 64; k = k + 512 / warpSize) {
            int of = turn[(threadIdx.x + k) % blockDim.x];
            v *= s[of];
        }
        __syncthreads();
    }
    y[row] = v;
}
