extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s = x[i];
    auto scaled = [=](float v) { return s * v; };
//                ^ no-lambdas: `s` is captured by value and may change afterwards
    s = 2.0f;
    y[i] = scaled(3.0f);
}
