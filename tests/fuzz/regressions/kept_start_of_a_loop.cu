// An integer made from floating values is recorded; a loop that goes on from it must start there.
extern "C" __global__ void kept_start_of_a_loop(int n, const float *x, const float *w, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = x[i];
    for (int l = 0; l < 3; ++l) {
        int c = (int)(4.0f * s * s + 2.0f);
        float t = w[c % n];
        while (c > 0) {
            s = sinf(s + t * w[(c + l) % n]);
            t = t * s;
            c -= 1 + (c % 3 == 0);
        }
        s += w[(c + 7) % n] * t;
    }
    y[i] = s;
}
//--
// kernel = "kept_start_of_a_loop"
// of = ["y"]
// wrt = ["x", "w"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// w = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
