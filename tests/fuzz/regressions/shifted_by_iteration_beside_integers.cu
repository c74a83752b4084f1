// Threads move on by one element behind each barrier: who stores the flag of an element is not its only reader.
extern "C" __global__ void shifted_by_iteration_beside_integers(const float *x, int *flag, float *y)
{
    int t = threadIdx.x;
    float a = 0.0f;
    for (int k = 0; k < 3; ++k) {
        flag[t + k] = k;
        a += sinf(x[t + k]) * (1 + k);
        __syncthreads();
    }
    y[t] = a;
}
//--
// kernel = "shifted_by_iteration_beside_integers"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="8", fill="uniform(-1,1)"}
// flag = {shape="8", fill="randint(0,2)"}
// y = {shape="8", fill="uniform(-1,1)"}
