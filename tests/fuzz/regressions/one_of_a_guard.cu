// Only the guard's threads read and store u, and in their own order: a sum over the block is another thread's.
// assume injective:u
// assume injective:s
extern "C" __global__ void one_of_a_guard(int n, const float *x, float *u, float *y)
{
    __shared__ float s[8];
    int t = threadIdx.y * 4 + threadIdx.x, b = blockIdx.x * 8;
    s[t] = x[b + t];
    __syncthreads();
    if (t >= n) {
        float a = 0.0f;
        for (int q = 0; q < 8; ++q)
            a += 0.2f * u[b + q] * u[b + q];
        u[b + 7] = 0.5f * a;
        float c = 0.0f;
        for (int q = 0; q < 8; ++q)
            c += 0.3f * u[b + q] * s[q];
        u[b + 2] = sinf(c);
        float d = 0.0f;
        for (int q = 0; q < 8; ++q)
            d += 0.3f * s[q] * s[q];
        s[3] = sinf(d);
        float e = 0.0f;
        for (int q = 0; q < 8; ++q)
            e += 0.4f * s[q] * s[q];
        s[5] = e;
        u[b + 1] = s[5] * s[3];
    }
    if (t == 5) {
        float a = 0.0f;
        for (int q = 0; q < 8; ++q)
            a += 0.2f * x[b + q];
        y[blockIdx.x] = a;
    }
}
//--
// kernel = "one_of_a_guard"
// of = ["u", "y"]
// wrt = ["u", "x"]
// [launch]
// grid = 2
// block = [4, 2]
// [args]
// n = 7
// x = {shape=16, fill="uniform(-1,1)"}
// u = {shape=16, fill="uniform(-1,1)"}
// y = {shape=2, fill="zeros"}
