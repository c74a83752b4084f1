// s2sad: --of y --wrt y
// What every iteration makes smaller is the distance of two variables, by one, by half, or one of two.
extern "C" __global__ void trips_two_ends(const float *__restrict__ x, float *__restrict__ y, int n, int m, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *v = y + 3 * i;
    int lo = 0, hi = m - 1;
    while (lo < hi) {
        v[0] = v[0] * sinf(v[1]) + x[lo] * x[hi];
        if (x[i + lo] > 0.5f)
            hi--;
        else
            lo++;
    }
    int low = 0, high = m;
    while (low < high) {
        int mid = (low + high) / 2;
        v[1] = v[1] * cosf(v[0]) + x[mid];
        if (x[mid] < x[i])
            low = mid + 1;
        else
            high = mid;
    }
    int a = 0, b = 0;
    while (a < m || b < k) {
        v[2] = v[2] * sinf(v[1]) + x[i + a] * x[b];
        if (b >= k || (a < m && x[a] < x[i + b]))
            ++a;
        else
            ++b;
    }
}
