// A slice further out makes the value that the loop's own frame finds recorded.
extern "C" __global__ void recorded_in_an_inner_frame(int n, double beta, const float *tape_x, float *vv)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        for (int c = 3; c >= 0; c -= 2) {
            for (size_t ii = 0; ii != c; ++ii) {
                bool l = false;
                if (beta > 0.0f) {
                    l = true;
                }
                beta = tape_x[l];
            }
        }
        vv[i] = beta;
    }
}
//--
// kernel = "recorded_in_an_inner_frame"
// of = ["vv"]
// wrt = ["tape_x", "beta"]
// [launch]
// grid = 2
// block = 2
// [args]
// n = 6
// beta = 0.3
// tape_x = {shape="n", fill="uniform(-1,1)"}
// vv = {shape="n", fill="uniform(-1,1)"}
