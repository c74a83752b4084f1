// An array restored from a snapshot is the one of the reverse sweep: no counter of ours may hide it.
extern "C" __global__ void snapshot_array_named_q(int n, const int *cnt, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0.0f;
    for (int k = 0; k < 2; ++k) {
        float q[3];
        for (int l = 0; l < 3; ++l) q[l] = sinf(x[i] + 0.3f * l * k);
        for (int o = 0; o < cnt[i] + k; ++o)
            for (int l = 1; l < 3; ++l) q[l] -= 0.4f * q[l - 1] * q[l] + 0.7f * sinf(x[i]);
        s = sinf(s + q[0] * q[2]);
    }
    y[i] = s;
}
//--
// kernel = "snapshot_array_named_q"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// cnt = {shape="n", fill="randint(0,4)"}
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
