// A pointer that goes along an array in a struct was refused as one past a single value.
struct In {
    int tag;
    float v;
    float w[3];
};

extern "C" __global__ void pointer_along_a_field(const In *x, float *y)
{
    int i = threadIdx.x;
    In s[2];
    float *p = s[1].w;
    s[0].w[0] = x[i].v;
    const float *q = x[i].w;
    for (int k = 0; k < 3; ++k)
        *p++ = *q++ * x[i].v + k;
    y[i] = s[1].w[0] * s[1].w[1] * s[1].w[2] + s[0].w[0];
}
//--
// kernel = "pointer_along_a_field"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 1
// block = 32
// [args]
// x = { shape = 32, fill = "normal" }
// y = { shape = 32, fill = "zeros" }
