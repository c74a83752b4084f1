// [basic.lookup.qual]: std::max is a function, though a variable is called max.
extern "C" __global__ void scope_of_a_library_function(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float max = x[1] * s;
    max = std::max(max, s);
    float min = std::min(s, x[2]);
    for (int k = 0; k < 3; ++k) {
        max = ::fmaxf(max * 0.7f, x[k]);
        min = std::min(min, max * s);
    }
    y[i] = max * min;
}
