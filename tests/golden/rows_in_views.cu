// s2sad: --of y --wrt x
// Numbers as structs that hold rows of vectors: what is behind what, in memory.
struct Frame {
    float2 axes[3];
    float3 at[2];
};

extern "C" __global__ void rows_in_views(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Frame *frame = (const Frame *)x + i;
        float sum = 0.0f;
        for (int k = 0; k < 3; k++)
            sum += frame->axes[k].x * frame->axes[2 - k].y;
        y[i] = sum * frame->at[0].z + frame->at[1].x * frame->at[1].y;
    }
}
