// s2sad: --of v --wrt v
// A prefix product in place: every element needs what its left neighbour has become.
extern "C" __global__ void running_product(double *v, int rows, int cols)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows)
        for (int c = 1; c < cols; ++c)
            v[r * cols + c] *= v[r * cols + c - 1];
}
