// What locuslab/SATNet#10 describes: a loop over the vector in steps of the warp reads at the lane's number instead
// of the loop's. Vectors of one warp's length are right.
__global__ void project_backward(int rows, int width, const float *__restrict__ v, const float *__restrict__ out,
                                 const float *__restrict__ grad_out, float *__restrict__ grad_z)
{
    int lane = threadIdx.x, row = blockIdx.x;
    float g = (1.0f - out[row] * out[row]) * grad_out[row];
    for (int k = lane; k < width; k += 32)
        atomicAdd(&grad_z[k], v[row * width + lane] * g);
}
