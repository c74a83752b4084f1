struct Body {
    float mass;
    float charge;
};

extern "C" __global__ void weigh(const Body *b, float *y)
//                                     ^^^^ struct: structs are not differentiated yet
{
    y[threadIdx.x] = 9.81f * b[threadIdx.x].mass;
}
