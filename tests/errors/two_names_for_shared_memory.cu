extern __shared__ float array[];
extern __shared__ float other[];
//                      ^^^^^ not-supported: not differentiated yet
extern "C" __global__ void kernel(const float *x, float *y, int n){
    array[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = other[threadIdx.x];
}
