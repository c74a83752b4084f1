// s2sad: --of u --wrt u,c
// An element whose index is written over several lines: what is said of it stays a comment.
extern "C" __global__ void swell(float *u, const float *c, int width, int height, int steps)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= width)
        return;
    for (int s = 0; s < steps; ++s) {
        for (int row = 0; row < height; ++row) {
            float k = c[column  // of this column
                        + width * (
                        row)];
            u[column + width * (
              row)] += k * sinf(u[column + width * (  // as it was
                                  row)]);
        }
    }
}
