// A condition reads what the body overwrites, the counter is a signed char.
extern "C" __global__ void textbook_insertion_from_the_right(const float *x, float *y, const int *idx, float alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v[4];
    int q = idx[i];
    int len = 4;
    float acc = 0.1f * alpha;
    for (int k = 0; k < 4; ++k) {
        v[k] = x[i * 4 + k];
    }
    {
        for (signed char a = (len - 1) - 1; a >= 0; --a) {
            const float key = v[a];
            int b = a + 1;
            for (; b < len && v[b] < key; ++b) {
                v[b - 1] = v[b];
            }
            v[b - 1] = key;
        }
    }
    float out = 0.3f * acc;
    for (int k = 0; k < 4; ++k) {
        out += (0.2f + 0.1f * k) * v[k];
    }
    y[i] = out;
}
//--
// kernel = "textbook_insertion_from_the_right"
// of = ["y"]
// wrt = ["x", "alpha"]
// [launch]
// grid = 2
// block = 4
// [args]
// x = {shape="4*n", fill="uniform(-1.6,1.6)"}
// y = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,1000)"}
// alpha = 0.73
// n = 6
