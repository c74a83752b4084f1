extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    switch (n) {
    case 0:;
        float s = x[i];
        y[i] = s;
        break;
    default:
        s = 2.0f;
//      ^ case-scope: the declaration may be skipped
        y[i] = s * x[i];
//             ^ case-scope: the declaration may be skipped
    }
}
