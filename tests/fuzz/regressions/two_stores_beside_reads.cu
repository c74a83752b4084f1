// Each read has a store beside it, but of the two threads at one element each stores in a phase of its own.
extern "C" __global__ void two_stores_beside_reads(int n, const float *x, int *flag, float *y)
{
    int t = threadIdx.x;
    float a = 0;
    if (n > 2) {
        a = sinf(x[t]);
        flag[t] = 1;
    }
    __syncthreads();
    a += x[n - 1 - t] * x[n - 1 - t];
    flag[n - 1 - t] = 2;
    y[t] = a;
}
//--
// kernel = "two_stores_beside_reads"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// n = 4
// x = {shape="4", fill="uniform(-1,1)"}
// flag = {shape="4", fill="randint(0,2)"}
// y = {shape="4", fill="uniform(-1,1)"}
