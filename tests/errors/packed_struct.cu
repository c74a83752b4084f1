struct __attribute__((packed)) Record {
//     ^^^^^^^^^^^^^ not-supported: not differentiated yet
    char kind;
    float value;
};

__global__ void read(const Record *r, const float *x, float *y)
{
    y[threadIdx.x] = r[threadIdx.x].value * x[threadIdx.x];
}
