// s2sad: --of y --wrt x,w --companion
class Lens {
    float focus;

  public:
    __device__ float bend(float v) const { return v * v * focus; }
};

void blur_adj(const float *a);
float blur_block_add(float a, float b) { return a + b; }

extern "C" __global__ void blur(const float *x, const float *w, float *y, Lens lens, int n)
//                         ^^^^ companion: its adjoint names Lens
//                         ^^^^ companion: its adjoint names blur_adj
//                         ^^^^ companion: its adjoint names lens
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = lens.bend(x[i]) * w[0];
}
#define lens 3
