__global__ void copies(const float *x, const int *q, float *y, int bytes)
{
    float a[4], b[4][2];
    memcpy(a, x, bytes);
//  ^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    memcpy(a, x, 4 * sizeof(double));
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    memcpy(a, q, sizeof(a));
//  ^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    memcpy(y, x, sizeof(x));
//  ^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    memset(a, 1, sizeof(a));
//  ^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    memset(b, 0, sizeof(b));
//  ^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    y[0] = a[0] + b[0][0] + ((float *)memcpy(a, x, sizeof(a)))[1];
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
}
