extern __shared__ float array[];
//                      ^^^^^ not-supported: not differentiated yet
__device__ float f(int t) { return array[t]; }
extern "C" __global__ void kernel(const float *x, float *y, int n){
    float array[3] = {1.0f, x[0], 2.0f};
    y[threadIdx.x] = f(0) * array[1];
}
