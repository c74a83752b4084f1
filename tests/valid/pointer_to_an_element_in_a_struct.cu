// refused: pointer-to-element
struct View {
    float *p;
    int n;
};
extern "C" __global__ void pointer_to_an_element_in_a_struct(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float buf[4] = {x[i], x[i + 1], x[i] * x[i], 2.0f};
    View h;
    h.p = buf + 1;
    h.n = 2;
    View w{buf + 2, 2};
    y[i] = h.p[0] * w.p[0];
}
