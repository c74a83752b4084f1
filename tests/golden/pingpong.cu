// s2sad: --of a,b --wrt a,b,k
// Two arrays take turns as source and target; each thread has a row of both.
extern "C" __global__ void pingpong(double *a, double *b, const double *k, int rows, int cols, int rounds)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    for (int s = 0; s < rounds; ++s) {
        for (int c = 0; c < cols; ++c)
            b[r * cols + c] = a[r * cols + c] + 0.1 * b[r * cols + c] + k[c] * sin(a[r * cols + (c + 1) % cols]);
        for (int c = 0; c < cols; ++c)
            a[r * cols + c] = b[r * cols + c] * cos(b[r * cols + (c + cols - 1) % cols]);
    }
}
