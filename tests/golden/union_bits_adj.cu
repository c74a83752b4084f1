// union_bits_adj: adjoint of union_bits (union_bits.cu:15).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform union_bits.cu --of y --wrt x
//
// Call with x and power as they were before union_bits. adj_y comes in as dJ/dy after
// union_bits and goes out as dJ/dy before it, element by element. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   word.number (line 21)   tape_word_number, a register   line 23 overwrites it
//   x[..]                   reloaded                       nothing stores to it
//   factor.number,          reloaded                       still in its variable
//   word.number (line 23)
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

union Word {
    float number;
    unsigned bits;
};

extern "C" __global__ void union_bits_adj(const float *x, float *adj_x, const int *power,
                                          float *y, float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Word word = {sinf(x[i])};
    float tape_word_number = word.number;
    Word factor = {__uint_as_float((unsigned int)(127 + power[i]) << 23)};
    word.number = __uint_as_float(0x40490fdb);

    // 24:  y[i] += word.number * x[i]
    adj_x[i] += word.number * adj_y[i];
    Word adj_word;

    // 22:  y[i] = word.number * scaled(word, power[i])
    adj_word.number = 2.0f * tape_word_number * factor.number * adj_y[i];
    adj_y[i] = 0.0f;

    // 21:  word.number = sinf(x[i])
    adj_x[i] += cosf(x[i]) * adj_word.number;
}
