// s2sad: --of y --wrt x,w
// Insertion sort: how far an element moves is recorded, none of the elements that it passes.
#define K 5

__global__ void sorted_neighbours(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float near[K];
    for (int k = 0; k < K; ++k)
        near[k] = x[i * K + k] * x[i * K + k];
    for (int a = 1; a < K; ++a) {
        float key = near[a];
        int b = a - 1;
        while (b >= 0 && near[b] > key) {
            near[b + 1] = near[b];
            --b;
        }
        near[b + 1] = key;
    }
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += w[k] * expf(-near[k]);
    y[i] = sum;
}
