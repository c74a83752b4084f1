// A network u(x, y) with two hidden layers of sines, at n points.
#define HIDDEN 8
#define FIRST 3             // weights of a node of the first layer: of x, of y, and its phase
#define SECOND (HIDDEN + 1) // weights of a node of the second layer
#define LAST (HIDDEN * (FIRST + SECOND))
extern "C" __global__ void network(const double *x, const double *y, const double *weights, double *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double first[HIDDEN];
    for (int j = 0; j < HIDDEN; ++j) {
        const double *w = weights + FIRST * j;
        double angle = w[0] * x[i] + w[1] * y[i] + w[2];
        first[j] = sin(angle);
    }
    double out = weights[LAST + HIDDEN];
    for (int j = 0; j < HIDDEN; ++j) {
        const double *w = weights + HIDDEN * FIRST + SECOND * j;
        double sum = w[HIDDEN];
        for (int k = 0; k < HIDDEN; ++k)
            sum += w[k] * first[k];
        out += weights[LAST + j] * sin(sum);
    }
    u[i] = out;
}
