// [class.mem], [stmt.dcl]: default values of members are given in each iteration.
struct Sum {
    float total = 0.25f;
    int count = 1;
    __device__ void add(float v) { total += v * v; ++count; }
};
extern "C" __global__ void lifetime_of_a_struct_in_a_loop(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    for (int k = 0; k < 3; ++k) {
        Sum sum;
        sum.add(s);
        if (m[k] & 1)
            sum.add(x[k]);
        s = sinf(sum.total) * x[sum.count];
    }
    y[i] = s;
}
