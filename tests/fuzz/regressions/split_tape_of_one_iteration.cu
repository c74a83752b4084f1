// K_adj records and reads within one iteration of the outer loop; K_fwd has no part in it.
extern "C" __global__ void split_tape_of_one_iteration(double r, float *out, int n, int m)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float t[4];
        for (int q0 = 0; q0 < 4; ++q0)
            t[q0] = 1.1f;
        r = (double)tanhf(1.3f * r);
        for (int ii = 0; ii < m; ++ii)
            for (int q2 = 1; q2 <= 3; q2++)
                t[q2] -= 0.4f * t[q2 - 1] * t[q2] + 0.15f * r * r;
        out[i] = cosf(t[1]);
    }
}
//--
// kernel = "split_tape_of_one_iteration"
// of = ["out"]
// wrt = ["r"]
// [launch]
// grid = 2
// block = 2
// [args]
// r = -0.153
// out = {shape="n", fill="uniform(-1,1)"}
// n = 7
// m = 3
