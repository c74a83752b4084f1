typedef unsigned char byte;
enum Flag : byte { OFF, ON = 200 };
// columns 1 to 32: not-supported: not differentiated yet
extern "C" __global__ void kernel(const float *x, float *y)
{
    int i = threadIdx.x;
    Flag flag = (Flag)(ON + 60);
//  ^^^^ unknown-type: no such type
    y[i] = flag * x[i];
}
