// The inner loop starts at a literal that wraps to 0 in a short; what it reads the outer loop overwrites.
#define K 6
extern "C" __global__ void state_under_a_wrapping_head(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float score[2] = {0.1f, 0.2f};
    for (int j = 0; j < 4; ++j) {
        float next[2];
        for (int s = (short)(0 + 65536); s < 2; s++) {
            float stay = score[s] + 0.3f, move = score[1 - s] + x[i * K + j];
            next[s] = sinf(stay * move);
        }
        score[0] = next[0];
        score[1] = next[1];
    }
    y[i] = score[0] * score[1];
}
