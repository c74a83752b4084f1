__device__ float response(float v)
{
    return v / (1.0f + v * v);
}
