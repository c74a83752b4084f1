// s2sad: --of y --wrt x
// Storing to one element leaves the others as they were: none of these stores ends the
// life of the array, whatever their indices say of one element.
extern "C" __global__ void array_is_not_killed(const double *x, const int *at, double *y, double *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double a[3] = {x[i], x[i] * x[i], 1.0};
    a[at[i]] = 0.5;
    y[i] = a[0] * a[1];
    a[(at[i] + 1) % 3] = 2.0 * a[0];
    w[2 * i] = a[0] + a[2];
    w[2 * i + 1] = sin(a[1]);
    w[2 * i] = 3.0;
    y[i] += w[2 * i + 1] * w[2 * i] * a[2];
}
