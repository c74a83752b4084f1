extern "C" __global__ void broken(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];  /* here
//                                    ^^ unterminated-comment: it begins here
}
