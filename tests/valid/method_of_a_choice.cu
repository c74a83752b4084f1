struct Sum {
    float v;
    int count;
    __device__ void push(float x) { v = v * x + (float)count; ++count; }
    __device__ Sum &add(float x) { v += x * x; return *this; }
    __device__ void operator()(float x) { v *= x; }
};
extern "C" __global__ void method_of_a_choice(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Sum left = {1.0f, 1}, right = {2.0f, 1}, both[2] = {{0.5f, 1}, {0.25f, 2}};
    for (int k = 0; k < 3; ++k) {
        (k & 1 ? left : right).push(x[i]);
        (m[i] > 1 ? both[0] : both[1]).add(x[i] * (float)k);
        (k > 1 ? left : m[i] > 0 ? right : both[0])(x[i] + 1.0f);
        (k & 1 ? left : right).v *= 1.5f;
    }
    y[i] = left.v * right.v + both[0].v * both[1].v + (float)(left.count + 2 * right.count);
}
