// s2sad: --of y --wrt x
// Named constants of an enumeration as case labels; a switch in a loop, with `continue` inside it.
enum Step { SKIP, DOUBLE_IT, SQUARE_IT = 4, STOP };

extern "C" __global__ void enumerated(const double *x, const int *program, double *y, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    bool running = true;
    for (int k = 0; k < length && running; ++k) {
        switch (program[(i + k) % n]) {
        case SKIP:
            continue;
        case DOUBLE_IT:
            v *= 1.5;
            break;
        case SQUARE_IT:
            v = 0.5 * v * v;
            break;
        case STOP:
            running = false;
            break;
        }
        v = sin(v);
    }
    y[i] = v;
}
