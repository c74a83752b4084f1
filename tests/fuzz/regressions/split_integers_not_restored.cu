// In the split shape what K_adj runs again goes on from the recorded value, whichever branch is taken.
extern "C" __global__ void split_integers_not_restored(int n, const float *x, const int *p, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = 0, d = 1;
    float s = x[i];
    while (c < p[i]) { c += d; d = c; s = s * x[c % n] + sinf(s); }
    switch (d) { case 1: d = 3; case 2: s = s * d; break; default: d = 0; }
    float a[3] = {s, s * d, 1.0f};
    a[d % 3] = a[0] * a[1];
    c = d; d = (c + 1) % 3;
    a[d] += a[c % 3] * s;
    y[i] = a[0] + a[1] * a[2];
}
//--
// kernel = "split_integers_not_restored"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// p = {shape="n", fill="randint(0,4)"}
// y = {shape="n", fill="uniform(-1,1)"}
