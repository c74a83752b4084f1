// What a case declares in braces is gone after them: the next case means the outer variable.
extern "C" __global__ void case_hides_in_braces(int n, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float u = x[i];
    for (int l = 0; l < 2; ++l) {
        switch (i % 3) {
            case 0: {
                int l = 0;
                do { u = 0.7f * cosf(u); } while (++l < 3 && u < 0.9f);
            }
            case 1: {
                u = sinf(u + 0.5f * l);
            }
            break;
            default: u = 2.0f * u;
        }
    }
    y[i] = u;
}
//--
// kernel = "case_hides_in_braces"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
