// An enumeration and a union without names in a function.
extern "C" __global__ void local_union_and_enumeration(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    enum { LOW = 1, HIGH = 4 } mode = x[i] > 0.0f ? HIGH : LOW;
    enum class Side { left, right } side = mode == HIGH ? Side::right : Side::left;
    union { float f; unsigned u; } bits;
    bits.f = x[i];
    bool below = bits.f < 0.0f;
    float s = 0.0f;
    for (int j = 0; j < mode; ++j)
        s += bits.f * (below ? -1.0f : 1.0f);
    y[i] = side == Side::right ? s * s : s;
}
//--
// kernel = "local_union_and_enumeration"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
