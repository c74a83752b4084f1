// Open addressing with linear probing, a table for each thread.
extern "C" __global__ void probing(const float *val, const int *keys, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int table[96];
    float kept[96];
    for (int k = 0; k < 96; ++k) { table[k] = 0; kept[k] = 1.0f; }
    float s = 0.0f;
    for (int k = 0; k < 5; ++k) {
        int key = keys[5 * i + k];
        int h = key % 7;
        while (table[h] != 0 && table[h] != key) h = (h + 1) % 96;
        table[h] = key;
        kept[h] = kept[h] * val[5 * i + k];
        s += kept[h] * kept[h];
    }
    y[i] = s;
}
//--
// kernel = "probing"
// of = ["y"]
// wrt = ["val"]
// [launch]
// grid = "(n + 15) / 16"
// block = 16
// [args]
// n = 40
// val = { shape = "5 * n", fill = "uniform(0.3, 1.2)" }
// keys = { shape = "5 * n", fill = "randint(1, 9)" }
// y = { shape = "n", fill = "zeros" }
