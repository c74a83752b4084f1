extern "C" __global__ void alternative_tokens(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool a = m[i] > 2 and not (m[i] == 4), b = a or m[i] not_eq 3;
    int c = (m[i] bitand 3) bitor 4, d = compl c xor 1;
    c and_eq 7;
    d or_eq 1;
    c xor_eq 2;
    y[i] = a and b ? x[i] * x[c] : x[i] * d;
}
