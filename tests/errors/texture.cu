extern "C" __global__ void sample(cudaTextureObject_t image, const float *x, float *y)
//                                ^^^^^^^^^^^^^^^^^^^ unknown-type: no such type
{
    float v;
    tex1D(&v, image, x[threadIdx.x]);
//  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ texture: textures are not differentiated
    y[threadIdx.x] = v;
}
