extern "C" __global__ void choice_as_a_place_of_arrays(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v[2] = {x[i], x[i + 1]};
    float s = 0.0f;
    (m[i] > 3 ? v[0] : s) += v[1] * v[1];
    (m[i] > 5 ? y[i] : s) += v[0];
    y[i] += s * v[0];
}
