static const char *source = R"code(
{ ( " )" }
)code";
static const char *wide = "a" "b";
extern "C" __global__ void raw_string_of_the_host(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i] * x[i];
}
