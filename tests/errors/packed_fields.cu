struct Sample {
    char kind;
    float value;
} __attribute__((packed));
//^^^^^^^^^^^^^ not-supported: not differentiated yet

struct __attribute__((__packed__)) Pair {
//     ^^^^^^^^^^^^^ not-supported: not differentiated yet
    float one, two;
};

extern "C" __global__ void total(const Sample *s, const Pair *p, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = s[i].value * p[i].two;
}
