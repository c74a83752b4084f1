// [lex.ccon]: escapes of each kind; a character has one byte.
extern "C" __global__ void literal_of_several_characters(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    const char word[4] = {'a', '\x7f', '\0', '\377'};
    s = sinf(s) * x[word[0] - 'W'] * x[word[1] >> 3];
    s *= word[3] < word[2] ? x[1] : x[2];
    s *= x[sizeof word] * x['\\' - 'X'];
    y[i] = s * x['?' & 15] * x['"' - ' '];
}
