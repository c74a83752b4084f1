extern "C" __global__ void switch_forms(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    switch (m[i])
        case 3:
            s *= 2.0f;
    switch (m[i] & 3) {
    case 0: {
        float t = s;
        s = t * t;
        break;
    }
    case 'b' - 'a':
        s += 1.0f;
        break;
    default:;
    }
    switch (m[i]) {
    }
    y[i] = s;
}
