// Runs a program for a machine with a stack of a hundred floats.
extern "C" __global__ void parser(const float *x, const int *code, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float st[100];
    int pc = 0, sp = 0;
    while (code[pc] != 0) {
        int op = code[pc++];
        if (op == 1) st[sp++] = x[4 * i + code[pc++]];
        else if (op == 2) { --sp; st[sp - 1] = st[sp - 1] * st[sp]; }
        else { st[sp - 1] = sinf(st[sp - 1]); }
    }
    y[i] = st[0];
}
//--
// kernel = "parser"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// code = [1, 0, 1, 1, 2, 3, 1, 2, 2, 1, 3, 2, 3, 0]
// x = { shape = "4 * n", fill = "uniform(0.3, 1.2)" }
// y = { shape = "n", fill = "zeros" }
