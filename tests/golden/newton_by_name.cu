// A root by Newton's method whose steps have names: one input, so its tangent is carried along.
// s2sad: --of root --wrt a
extern "C" __global__ void newton_by_name(const double *a, double *root, double *steps_taken, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double target = 2.0 + a[i];
    double x = 1.5;
    int steps = 0;
    while (true) {
        double f = x * x * x + sin(x) - target;
        double slope = 3.0 * x * x + cos(x);
        double change = f / slope;
        x -= change;
        if (fabs(change) < 1e-13 || ++steps == 40)
            break;
    }
    root[i] = x;
    steps_taken[i] = steps;
}
