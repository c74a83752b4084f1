// All that follows the return stands in its else branch.
extern "C" __global__ void else_of_a_return(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    if (i >= n) {
        return;
    } else {
        s[t] = x[i];
        __syncthreads();
        y[i] = s[t] * s[0];
    }
}
//--
// kernel = "else_of_a_return"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// x = {shape="100", fill="uniform(0.1,1.2)"}
// y = {shape="100", fill="uniform(-1,1)"}
// n = 40
