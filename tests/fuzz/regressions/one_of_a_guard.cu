// Only the guard's thread reads and stores u, and in its own order: a sum over the block is another thread's.
// assume injective:u
extern "C" __global__ void one_of_a_guard(int n, const float *x, const double *w, const int *idx, float *y, float *z, float *u)
{
    int t = threadIdx.y * 3 + threadIdx.x;
    int b = blockIdx.x;
    int i = b * 9 + t;
    __shared__ float adj_s[11];
    __shared__ int where[9];
    for (int q1 = t; q1 < 11; q1 += 9) {
        adj_s[q1] = x[q1 % n];
    }
    where[t] = 9 - 1 - t;
    float v2 = (t % 2 == 0 ? 0.5f * (w[i] + w[idx[i]]) : x[i]);
    double v3 = 0.5f * (cosf(v2) * u[b * 9 + (t + 9 - 1) % 9] + v2);
    __syncthreads();
    if (t == 5) {
        float a4 = 0.0f;
        for (int q5 = 0; q5 < 9; ++q5) {
            a4 += 0.2f * u[b * 9 + q5];
        }
        u[b * 9 + 8] = 0.5f * (w[idx[i]] + a4);
    }
    adj_s[(t + 1) % 9] -= 0.3f * (idx[i] > 1 ? v3 : v2);
    if (t == 5) {
        float a6 = 0.0f;
        for (int q7 = 0; q7 < 9; ++q7) {
            a6 += 0.2f * u[b * 9 + q7];
        }
        u[b * 9 + 3] = 0.5f * (v2 + a6);
    }
    atomicAdd(&z[idx[i]], 0.5f);
}
//--
// kernel = "one_of_a_guard"
// of = ["y", "z", "u"]
// wrt = ["u", "w", "x"]
// [launch]
// grid = 3
// block = [3, 3]
// [args]
// n = 27
// x = {shape="n", fill="uniform(-1,1)"}
// w = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,9)"}
// y = {shape="n", fill="uniform(-1,1)"}
// z = {shape="n", fill="uniform(-1,1)"}
// u = {shape="n", fill="uniform(-1,1)"}
