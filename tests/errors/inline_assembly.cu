extern "C" __global__ void ptx(const float *x, float *y)
{
    float r;
    asm("sin.approx.f32 %0, %1;" : "=f"(r) : "f"(x[threadIdx.x]));
//  ^^^ inline-assembly: its semantics aren't known
    y[threadIdx.x] = r;
}
