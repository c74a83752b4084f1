// A loop whose trips are recorded runs again for a counter; by which break it was left is known then, and not said again.
extern "C" __global__ void exit_of_a_loop_told_its_trips(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a[3][3], s = 0.0f;
    for (int k = 0; k < 9; ++k)
        a[k / 3][k % 3] = x[9 * i + k];
    for (int r = 0; r < 3; ++r) {
        int c = 0;
        do {
            a[r][c] += 0.3f * w[c] * a[(r + 1) % 3][c];
            if (a[r][c] < -1.0f)
                break;
            s += a[r][c] * a[c][r];
        } while (++c < 3 && a[r][c] < a[c][r] + 1.0f);
    }
    y[i] = s;
}
//--
// kernel = "exit_of_a_loop_told_its_trips"
// of = ["y"]
// wrt = ["x", "w"]
// [launch]
// grid = "(n + 31) / 32"
// block = 32
// [args]
// n = 40
// x = { shape = ["n", 9], fill = "normal" }
// w = { shape = 3, fill = "normal" }
// y = { shape = "n", fill = "zeros" }
