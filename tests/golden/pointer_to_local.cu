// s2sad: --of y --wrt x,a
// Pointers to variables, to rows of a local array, and to a column of results.
extern "C" __global__ void pointer_to_local(const float *x, float a, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float m[3][4];
    float best = 0.0f;
    float *sum = &best;
    for (int r = 0; r < 3; ++r) {
        float *row = m[r];
        float *p = row;
        for (int k = 0; k < 4; ++k)
            *p++ = a * x[i] + (float)(r - k);
        *sum += row[r] * row[3];
    }
    float (*second)[4] = &m[1];
    float sine, cosine;
    float *s = &sine;
    sincosf((*second)[2], s, &cosine);
    y[i] = best * *s + cosine * second[1][0];
}
