// s2sad: --of y --wrt x
struct V {
    float x;
    __device__ float len() const { return x * x; }
};

extern "C" __global__ void called(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    V a = x.len();
//        ^ type-error: this is const float *
    V b = nothing.len();
//        ^^^^^^^ unknown-name: no such name here
    V c = x[i].len();
//        ^^^^ type-error: this is float
    V d = {x[i]};
    V e = d.len();
//        ^^^^^^^ type-error: this is float
    float t = x[i].len() + nothing.len() + (d + d).len();
//            ^^^^ type-error: this is float
//                         ^^^^^^^ unknown-name: no such name here
//                                          ^ type-error: select one of its fields
//                                              ^ type-error: select one of its fields
    y[i] = a.x * b.x * c.x * e.x * t;
}
