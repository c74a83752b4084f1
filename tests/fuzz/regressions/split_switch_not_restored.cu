// In the split shape what K_adj runs again goes on from the recorded value, whichever branch is taken.
extern "C" __global__ void split_switch_not_restored(float *__restrict__ y, int m, int n, double r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (i) {
        case 0:
        for (int k = 0; k < 0; k += 2) {
            r = 0.5f;
        }
        case 1:
        case 2:
        r = 0.5f;
    }
    y[i] = sinf(r);
}
//--
// kernel = "split_switch_not_restored"
// of = ["y"]
// wrt = ["r"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// y = {shape="n*m", fill="uniform(-1,1)"}
// m = 2
// n = 6
// r = 0.046
