extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    union { float f; short part[2]; } u;
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ union: its members share their bits
    u.f = x[i];
    y[i] = u.part[1];
}
