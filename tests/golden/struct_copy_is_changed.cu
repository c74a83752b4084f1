// s2sad: --of y --wrt x
// A struct that is passed by value is the function's own, however that writes to it: by a function
// that takes a reference, by a reference, through a pointer to an array in it.
struct Band {
    float c[3];
};

__device__ void mirrored(Band &band)
{
    band.c[0] *= 2.0f;
    band.c[1] = band.c[0] * band.c[2];
}

__device__ float by_function(Band band)
{
    mirrored(band);
    return band.c[0] + band.c[1];
}

__device__ float by_reference(Band band)
{
    Band &own = band;
    own.c[0] *= 3.0f;
    return band.c[0] * band.c[1];
}

__device__ float by_pointer(Band band)
{
    float *end = band.c + 1;
    end[1] *= band.c[0];
    return band.c[2];
}

__device__ float of(const Band &band, int k)
{
    return band.c[k];
}

__global__ void bands(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Band band;
    band.c[0] = x[i];
    band.c[1] = x[i] * x[i];
    band.c[2] = sinf(x[i]);
    float sum = by_function(band);
    sum += by_reference(band) * of(band, 1);
    sum += by_pointer(band) * of(band, 2);
    y[i] = sum * of(band, 0);
}
