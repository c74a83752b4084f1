// s2sad: --of y --wrt x
// Places that each iteration moves by one amount, whatever its sign: none of them is recorded.
#define PAD 2
extern "C" __global__ void strided_walks(const float *x, const int *stride, float *y, int n, int parts, int rows,
                                         int columns)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 1.0f;
    for (int i = t % 5; i < n; i += n / parts)  // a quotient
        s += sinf(x[i]);

    int at = t % 3;
    while (at < n) {  // on both ways to the next iteration
        if (x[at] < 0.0f) {
            at += stride[0];
            continue;
        }
        s += x[at] * x[at];
        at += stride[0];
    }

    int from = 0, back = n - 1;
    for (int k = 0; k < 4; ++k) {  // by way of another variable, and several times
        int next = from + rows - 1;
        back -= 2;
        s = 0.8f * s + x[next] * sinf(s) * x[back];
        from = next + 1;
        back = back - columns + 1;
    }

    int cell = 0;
    for (int r = 0; r < rows; ++r) {  // by an inner loop, and after it
        for (int c = 0; c < columns; ++c) {
            s = s * (1.0f + 0.1f * x[cell]);
            cell++;
        }
        cell += PAD;
    }
    y[t] = s;
}
