// The author's names for types, one of another, one in a block, an enumeration's; and who is named like one.
typedef float scalar;
typedef scalar real;
typedef double acc;
typedef unsigned int count_t;
using index = int;
enum Mode { SQUARE, CUBE };
typedef Mode Kind;
__device__ real cube(const real v) { return v * v * v; }
extern "C" __global__ void named_types(index n, const real *x, scalar *y)
{
    const index i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Kind kind = i % 2 ? SQUARE : CUBE;
    acc sum = 0;
    for (count_t k = 0; k < (count_t)n; k++) {
        typedef double wide;
        wide w = x[k];
        real r = x[i] * (real)w;
        sum += kind == CUBE ? (acc)cube(r) : r * r;
        if (sum > 3) break;
    }
    y[i] = sum;
}
//--
// kernel = "named_types"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 11
// x = {shape="n", fill="uniform(0.2,1.3)"}
// y = {shape="n", fill="uniform(-1,1)"}
