// s2sad: --of y --wrt knots,values,slopes,x
// The interval is found by bisection, with integers alone; then a cubic Hermite spline.
extern "C" __global__ void spline(const double *knots, const double *values, const double *slopes,
                                  const double *x, double *y, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (knots[middle] <= x[i])
            low = middle;
        else
            high = middle;
    }
    double h = knots[high] - knots[low];
    double t = (x[i] - knots[low]) / h;
    double a = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t);
    double b = t * (1.0 - t) * (1.0 - t);
    double c = t * t * (3.0 - 2.0 * t);
    double d = t * t * (t - 1.0);
    y[i] = a * values[low] + b * h * slopes[low] + c * values[high] + d * h * slopes[high];
}
