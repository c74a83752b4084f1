// In the split shape a value that was recorded before it is changed is read back before it is.
extern "C" __global__ void split_not_restored(float *__restrict__ yy, int n, float *__restrict__ st, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (float v = 0.1f; v < 0.9f; v += 0.25f) {
        r = 1.0f;
    }
    r += 0.5f;
    yy[i] = sin((r - st[i]));
}

//--
// kernel = "split_not_restored"
// of = ["yy"]
// wrt = ["st", "yy"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// yy = {shape="n", fill="uniform(-1,1)"}
// n = 5
// st = {shape="n", fill="uniform(-1,1)"}
// r = -0.343
