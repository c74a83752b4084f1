// Positions kept in variables: `dim3` with its constructor, which says 1 of what it isn't told.
// s2sad: --of y --wrt x
struct Part { dim3 from; int step; };

extern "C" __global__ void positions_kept(const float *x, float *y, dim3 size)
{
    const uint3 thread = threadIdx;
    dim3 block = blockIdx;
    dim3 at(block.x * blockDim.x + thread.x, block.y * blockDim.y + thread.y);
    dim3 whole = gridDim;
    dim3 one;
    Part part;
    part.step = 2;
    if (at.x < size.x && at.y < size.y) {
        float v = x[at.y * size.x + at.x];
        for (unsigned k = at.z; k < part.from.x + part.step; k++)
            v *= (float)(one.y + dim3(4, 3).y) * x[at.y * size.x + at.x];
        y[at.y * size.x + at.x] = v / (float)whole.z;
    }
}
