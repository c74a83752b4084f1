// s2sad: --of t,shade --wrt cx,cy,cz,r
// The nearest hit of a ray among spheres; a miss returns early, the best candidate is carried along.
extern "C" __global__ void ray_sphere(const float *cx, const float *cy, const float *cz, const float *r,
                                      float *t, float *shade, int spheres, int width, int height)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float dx = (2.0f * px - width) / width, dy = (2.0f * py - height) / height;
    float inv = rsqrtf(dx * dx + dy * dy + 1.0f);
    dx *= inv;
    dy *= inv;
    float dz = inv;
    float best = 1e20f;
    int hit = -1;
    for (int s = 0; s < spheres; ++s) {
        float b = dx * cx[s] + dy * cy[s] + dz * cz[s];
        float c = cx[s] * cx[s] + cy[s] * cy[s] + cz[s] * cz[s] - r[s] * r[s];
        float disc = b * b - c;
        if (disc < 0.0f)
            continue;
        float near = b - sqrtf(disc);
        if (near > 0.0f && near < best) {
            best = near;
            hit = s;
        }
    }
    if (hit < 0)
        return;
    t[py * width + px] = best;
    shade[py * width + px] = (cz[hit] - best * dz) / r[hit];
}
