// Every statement of the language.
#define COLUMNS 4
constexpr int ROWS = 3;
__constant__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__device__ __forceinline__ float leaky(float v, float slope)
{
    if (v > 0.0f)
        return v;
    return slope * v;
}

__device__ float twice(float v) { return 2 * leaky(v, 1); }

extern "C" __global__ void __launch_bounds__(256) statements(const float *__restrict__ x, float *y, const int n, int mode)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float grid[ROWS][COLUMNS];
        float weights[COLUMNS] = {0.25f, 1, 2.0f};
        int counts[2] = {};
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; c++)
                grid[r][c] = x[(i * ROWS + r) * COLUMNS + c] * weights[c];
#pragma unroll 2
        for (int r = 0, c = COLUMNS - 1; r < ROWS && c >= 0; ++r, --c)
            grid[r][c] *= table[c];
        float s = 0;
        int k = 0;
        while (k < n) {
            if (k == 3) {
                k += 2;
                continue;
            }
            s += grid[k % ROWS][0];
            if (s > 100.0f)
                break;
            ++k;
        }
        do {
            s = leaky(s, 0.1f);
            --k;
        } while (k > 0);
        do
            s *= 0.5f;
        while (s > 1.0f);
        switch (mode) {
        case 0:
        case COLUMNS:
            s = twice(s);
        case 1: {
            float t = s;
            s = t * t;
            break;
        }
        default:
            s = -s;
        }
        if (mode > 0) {
            if (mode > 1)
                s = sinf(s);
        } else
            s = cosf(s);
        if (mode == 1)
            s += 1.0f;
        else if (mode == 2)
            s += 2.0f;
        else {
            float s2 = s;
            float s = s2 + 1.0f;
            y[i] = s;
        }
        {
            float s = sqrtf(fabsf(x[i]));
            float sine, cosine;
            sincosf(s, &sine, &cosine);
            y[i] += sine * cosine + powf(s, 2) + fmaxf(s, 0);
        }
        for (;;) {
            if (++counts[0] > 3)
                break;
        }
        y[i] += s + counts[0];
    }
}
