// s2sad: --of force --wrt place,charge --assume covers:n
// What all charges on a line do to each of them, by tiles: each is the one that pulls and the one that is pulled.
#define TILE 16

extern "C" __global__ void pairs_tile_covered(const float *__restrict__ place, const float *__restrict__ charge,
                                              float *__restrict__ force, int n)
{
    __shared__ float places[TILE], charges[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float here = i < n ? place[i] : 0.0f;
    float sum = 0.0f;
    for (int first = 0; first < n; first += TILE) {
        int j = first + threadIdx.x;
        places[threadIdx.x] = j < n ? place[j] : 0.0f;
        charges[threadIdx.x] = j < n ? charge[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float d = places[k] - here;
            sum += charges[k] * d * expf(-d * d);
        }
        __syncthreads();
    }
    if (i < n)
        force[i] = sum;
}
