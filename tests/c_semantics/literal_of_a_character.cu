// [lex.ccon]: a char in quotes is a number; escapes are octal or hexadecimal; some are negative.
extern "C" __global__ void literal_of_a_character(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    char c = 'a' + m[i];
    s = sinf(s) * x[c - 'a'] * x['d' - 'a'];
    s *= x['\n'] * x['\x05'] * x['\7'] * x['\012'];
    if ('\377' < 0)
        s *= x['\xff' + 3] + s;
    s *= x[sizeof('a')] * x['\t' - '\b'];
    y[i] = s * ('2' - '0');
}
