// --of y --wrt x,y
// Nothing is left in the first cells: their elements don't exist, and the loop that would scale them doesn't run.
__global__ void element_of_no_iteration(const float *x, float *y, int n, int skipped)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float left = x[i];
    while (left > 0.2f) {
        y[i - skipped] = 0.5f * y[i - skipped] * y[i - skipped] + 0.1f * left / (1.0f + left);
        left *= 0.5f;
    }
}
