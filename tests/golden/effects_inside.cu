// s2sad: --of y,z --wrt x
// Assignments, increments and commas inside expressions, and declarations of several variables.
extern "C" __global__ void effects_inside(const double *x, double *y, double *z, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int k = i * m;
    double a, b = x[k++], c = b * x[k++];
    a = b = c * b;
    y[i] = (a *= 2.0) + x[k];
    for (int j = 0, left = m; left > 0; ++j, --left)
        c += x[i * m + j] * b, b *= 0.5;
    double last;
    z[i] = last = sin(a) * (b + c);
    if ((a = last * last) > 0.1)
        z[i] += a;
}
