// s2sad: --of out,link --wrt pair,out
// Functions that find an element or nothing: the pointer is one only where it was tested.
__device__ int folds(int i, int j, int n, const int *__restrict__ ok)
{
    if (i >= 0 && i < n && j >= 0 && j < n && i != j)
        return ok[i * n + j];
    return 0;
}

__device__ float *paired(float *__restrict__ pair, int i, int j, int n, const int *__restrict__ ok)
{
    return folds(i, j, n, ok) ? &pair[i * n + j] : 0;
}

__device__ float *slot(float *cell, int i, int n)
{
    if (i >= n)
        return nullptr;
    return cell + i;
}

__device__ void add(float *sum, const float x)
{
    *sum = 0.5f * *sum + sinf(x);
}

__global__ void found_element(float *__restrict__ pair, const int *__restrict__ ok, float *out,
                              float *link, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.25f;
    const float *p;
    if ((p = paired(pair, i, n - 1, n, ok))) {
        const float t = *p * *p;
        add(&s, t);
    }
    if (i != 0 && i < n && (p = paired(pair, i - 1, i, n, ok)))
        add(&s, p[0] * p[n]);
    for (int j = 0; j < n - 1; j++) {
        float *p, *q;
        if ((p = paired(pair, i, j, n, ok)) && (q = paired(pair, j, n - 1, n, ok)))
            add(&s, *p * *q);
        else if (j == i && (p = paired(pair, j - 1, j, n, ok)))
            s += p[0] * p[1];
    }
    float *o = slot(out, i, n);
    if (o != nullptr && i % 2 == 0)
        *o += s;
    float *l = slot(link, i, n);
    if (l)
        *l = s * s;
}
