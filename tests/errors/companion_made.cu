// s2sad: --of y --wrt x --companion
struct Unit {
    float a, b;
    __device__ Unit(float x, float y) : a(x / hypotf(x, y)), b(y / hypotf(x, y)) {}
};
class Later;

extern "C" __global__ void turned(const float *x, float *y, Unit by)
//                         ^^^^^^ companion: its adjoint names Unit
{
    int i = threadIdx.x;
    Unit u(x[i], 1.0f);
    y[i] = u.a * by.a - u.b * by.b;
}
