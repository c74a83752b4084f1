struct Pair {
    float a, b;
};
__device__ void mix(const float &in, float &out, float by) { out = out * by + in; }
extern "C" __global__ void reference_to_what_is_assigned(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i], t = 2.0f;
    int k = 1;
    const float &now = (s *= x[i]);
    s += t;
    float &mine = (t += s);
    mine *= now;
    const int &next = ++k;
    ++k;
    Pair p = {s, t}, q = {t, s};
    const Pair &same = (p = q);
    p.a *= x[i];
    mix((s += 1.0f), t, x[i]);
    y[i] = now * mine * same.a * (float)next + t;
}
