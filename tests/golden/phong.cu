// s2sad: --of shade --wrt nx,ny,nz,lx,ly,lz,shininess
// Phong shading with a light that all pixels share.
__device__ float dot3(float ax, float ay, float az, float bx, float by, float bz)
{
    return ax * bx + ay * by + az * bz;
}

extern "C" __global__ void phong(const float *nx, const float *ny, const float *nz,
                                 float lx, float ly, float lz, float shininess, float *shade, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float inv = rsqrtf(dot3(nx[i], ny[i], nz[i], nx[i], ny[i], nz[i]));
    float x = nx[i] * inv, y = ny[i] * inv, z = nz[i] * inv;
    float nl = dot3(x, y, z, lx, ly, lz);
    float light = 0.1f;
    if (nl > 0.0f) {
        float reflected = 2.0f * nl * z - lz; /* the eye looks along z */
        light += 0.7f * nl;
        if (reflected > 0.0f)
            light += 0.2f * powf(reflected, shininess);
    }
    shade[i] = fminf(light, 1.0f);
}
