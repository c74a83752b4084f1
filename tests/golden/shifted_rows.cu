// s2sad: --of y --wrt r,w
// A time loop with barriers that each thread counts from its own channel: all run it equally often.
#define N 16

extern "C" __global__ void shifted_rows(const float *r, const float *w, float *y, int T, int C, int H)
{
    const int b = blockIdx.x / H;
    const int h = blockIdx.x % H;
    const int i = threadIdx.x;
    __shared__ float row[N];
    float state[N] = {0.0f};
    for (int t = b * T * C + h * N + i; t < (b + 1) * T * C + h * N + i; t += C) {
        __syncthreads();
        row[i] = r[t];
        __syncthreads();
        float sum = 0.0f;
        for (int j = 0; j < N; ++j) {
            sum += row[j] * state[j];
            state[j] = state[j] * w[h * N + j] + row[j] * row[i];
        }
        y[t] = sum;
    }
}
