// s2sad: --of feature --wrt table
#define LEVELS 3

// A hash encoding as radiance fields have it: eight corners for each level, hashed into a table.
extern "C" __global__ void hash_grid(const float *px, const float *py, const float *table, float *feature,
                                     unsigned int size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float scale = 2.0f;
    for (int level = 0; level < LEVELS; ++level) {
        float x = px[i] * scale, y = py[i] * scale;
        unsigned int cx = (unsigned int)x, cy = (unsigned int)y;
        float fx = x - cx, fy = y - cy;
        float sum = 0.0f;
        for (int corner = 0; corner < 4; ++corner) {
            unsigned int dx = corner & 1, dy = corner >> 1;
            unsigned int hash = ((cx + dx) ^ ((cy + dy) * 2654435761u)) % size;
            float w = (dx ? fx : 1.0f - fx) * (dy ? fy : 1.0f - fy);
            sum += w * table[level * size + hash];
        }
        feature[level * n + i] = sum;
        scale *= 1.5f;
    }
}
