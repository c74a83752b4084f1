// command: --include tests/errors/ways_out/response.cuh
static __device__ float response(float v)
{
    return 2.0f * v;
}

extern "C" __global__ void respond(const float *x, float *y)
{
    y[threadIdx.x] = response(x[threadIdx.x]);
}
// in another file: means-two-things: defined here
