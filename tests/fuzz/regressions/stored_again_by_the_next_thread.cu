// An element is stored by one thread, and behind a barrier by the next: the first seed counts for nothing.
extern "C" __global__ void stored_again_by_the_next_thread(const float *x, float *y)
{
    int t = threadIdx.x;
    for (int k = 0; k < 2; ++k) {
        y[t + k] = x[t] * (1 + k);
        __syncthreads();
    }
}
//--
// kernel = "stored_again_by_the_next_thread"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 4
// [args]
// x = {shape="4", fill="uniform(-1,1)"}
// y = {shape="5", fill="uniform(-1,1)"}
