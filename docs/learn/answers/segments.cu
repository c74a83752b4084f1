// Exercise segments: a long loop on a short tape.
// The forward sweep keeps only one value of s for each segment of LENGTH steps. The reverse sweep takes the
// segments from the last to the first: it runs one again, now with a tape, and goes back through it.
// When you are done: s2sad lesson check segments.cu
#define SEGMENTS 4
#define LENGTH 4

extern "C" __global__ void segments(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        for (int k = 0; k < SEGMENTS * LENGTH; ++k)
            s = s + w[i] * sinf(s);
        y[i] = s;
    }
}

extern "C" __global__ void segments_adj(const float *x, float *adj_x, const float *w, float *adj_w,
                                        float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        float snapshot[SEGMENTS];
        for (int k = 0; k < SEGMENTS * LENGTH; ++k) {
            // GAP 1: at the beginning of each segment, keep s in snapshot
            if (k % LENGTH == 0)
                snapshot[k / LENGTH] = s;
            // END
            s = s + w[i] * sinf(s);
        }

        float adj_s = adj_y[i];
        float tape_s[LENGTH];
        for (int segment = SEGMENTS - 1; segment >= 0; --segment) {
            // GAP 2: run the segment again from its snapshot, and record s in tape_s
            s = snapshot[segment];
            for (int k = 0; k < LENGTH; ++k) {
                tape_s[k] = s;
                s = s + w[i] * sinf(s);
            }
            // END
            // GAP 3: go back through the segment; adj_w[i] gets a contribution from each step
            for (int k = LENGTH - 1; k >= 0; --k) {
                adj_w[i] += sinf(tape_s[k]) * adj_s;
                adj_s = adj_s + w[i] * cosf(tape_s[k]) * adj_s;
            }
            // END
        }
        adj_x[i] += adj_s;
    }
}
