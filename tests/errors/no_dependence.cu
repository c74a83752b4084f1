// s2sad: --of y --wrt x
extern "C" __global__ void step(const float *x, float *y)
//                         ^^^^ no-dependence: its adjoint does not propagate
{
    y[threadIdx.x] = x[threadIdx.x] > 0.0f ? 1.0f : 0.0f;
}
