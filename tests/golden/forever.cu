// s2sad: --of y --wrt x,rate
// Loops without a condition, left by break from two depths; a do loop with both break and continue.
// More trips than there are snapshots, in all three.
extern "C" __global__ void forever(const double *x, double rate, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = x[i];
    int rounds = 0;
    for (;;) {
        v = v + 0.01 * rate * sin(v) + 0.02;
        bool done = false;
        while (true) {
            v = v * (1.0 - 0.01 * rate * v);
            if (v > 2.0) {
                done = true;
                break;
            }
            if (++rounds % 3 == 0)
                break;
        }
        if (done || rounds > 120)
            break;
    }
    int k = 0;
    do {
        k++;
        if (k % 2)
            continue;
        v = v + 0.01 * cos(v) + 0.001 * rate * k;
        if (v > 2.5)
            break;
    } while (k < 70);
    y[i] = v;
}
