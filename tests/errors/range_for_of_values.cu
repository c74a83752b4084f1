extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s = 0.0f;
    for (float v : {0.5f, 0.25f})
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no-range-for: not differentiated yet
        s += v * x[i];
    for (float v : x)
//  ^^^^^^^^^^^^^^^^^ no-range-for: not differentiated yet
        s += v;
    float m[2][2] = {{x[0], x[1]}, {x[2], x[3]}};
    int k = 0;
    for (float v : m[k]) {
//  ^^^^^^^^^^^^^^^^^^^^^^ no-range-for: not differentiated yet
        s += v;
        k = 1;
    }
    y[i] = s;
}
