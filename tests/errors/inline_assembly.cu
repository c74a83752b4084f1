extern "C" __global__ void ptx(const float *x, float *y)
{
    float r;
    asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(x[threadIdx.x]));
//  ^^^ inline-assembly: what it computes is not known
    y[threadIdx.x] = r;
}
