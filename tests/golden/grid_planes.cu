// Pointers to arrays: planes of N rows of M numbers, and one plane of weights.
// s2sad: --of y --wrt x,w,bias
#define N 4
#define M 6

__device__ double along(const double row[M], int j)
{
    return row[j - 1] - row[j + 1];
}

__global__ void grid_planes(const double (*x)[N][M], double w[][M], const double bias[N],
                            double (*__restrict__ y)[N][M], int planes)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int i = threadIdx.y;
    if (k >= planes)
        return;
    const double (*mine)[M] = x[k];
    for (int j = 1; j < M - 1; ++j) {
        double s = w[i][j] * mine[i][j] * mine[i][j];
        s += x[k][(i + 1) % N][j - 1] * along(mine[i], j);
        y[k][i][j] = sin(s) + bias[i];
    }
}
