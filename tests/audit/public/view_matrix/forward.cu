// Points in a camera's frame and their depths; the matrix is stored by columns.
__global__ void view(int n, const float *__restrict__ m, const float *__restrict__ point, float *__restrict__ seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = point[3 * i], y = point[3 * i + 1], z = point[3 * i + 2];
    float depth = m[2] * x + m[5] * y + m[8] * z + m[11];
    seen[3 * i] = (m[0] * x + m[3] * y + m[6] * z + m[9]) / depth;
    seen[3 * i + 1] = (m[1] * x + m[4] * y + m[7] * z + m[10]) / depth;
    seen[3 * i + 2] = depth;
}
