extern __shared__ float array[];
//                      ^^^^^ not-supported: not differentiated yet
struct S { float a; __device__ float get(int t) { return a * array[t]; } };
extern "C" __global__ void kernel(const float *x, float *y, int n){
    S s{x[0]};
    array[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x] = s.get(threadIdx.x);
}
