// As with integers, beside an array that has no adjoint.
extern "C" __global__ void shifted_by_iteration_beside_reals(const float *x, float *y, float *z)
{
    int t = threadIdx.x;
    for (int k = 0; k < 3; ++k) {
        z[t + k] = k * 0.5f;
        y[4 * k + t] = sinf(x[t + k]);
        __syncthreads();
    }
}
//--
// kernel = "shifted_by_iteration_beside_reals"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="8", fill="uniform(-1,1)"}
// y = {shape="12", fill="uniform(-1,1)"}
// z = {shape="8", fill="uniform(-1,1)"}
