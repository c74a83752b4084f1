extern "C" __global__ void late(const float *x, float *y, int n)
{
    const float *p;
    for (int k = 0; k < n; ++k) {
        if (k > 0)
            y[k] = *p;
//                  ^ pointer-unset: it isn't assigned above this line
        p = x + k;
    }
}
