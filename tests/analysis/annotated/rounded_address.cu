// tbr
__global__ void rounded_address(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float p = x[i] * 3.0f;  // tbr: i
    int cell = (int)p;
    float f = p - (float)cell;
    p = x[cell] * (1.0f - f) + x[cell + 1] * f;  // tbr: f, cell, x[cell] (reloaded), x[cell + 1] (reloaded)
    cell = 0;
    y[i] = p;  // tbr: i
}
