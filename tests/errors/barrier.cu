extern "C" __global__ void wait(const float *x, float *y)
{
    if (x[threadIdx.x] > 0.0f) {
        y[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
//      ^^^^^^^^^^^^^^^ divergent-barrier: threads may diverge at `if (x[threadIdx.x] > 0.0f)` on line 3
    }
}
