// Structs of one name in a device function, in the kernel and in the file.
struct Pair { float a, b; };

__device__ float twice(float a)
{
    struct Own { float a; } own = {a};
    return 2.0f * own.a * own.a;
}

__device__ float sum(float a)
{
    Pair both = {a, a * a};
    return both.a * both.b;
}

extern "C" __global__ void one_tag_in_two_functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    struct Own { float c, d; } own = {x[i], twice(x[i])};
    struct Pair { float d; Own of; } pair = {own.c * own.d, own};
    y[i] = pair.d * pair.of.c + sum(x[i]);
}
//--
// kernel = "one_tag_in_two_functions"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
