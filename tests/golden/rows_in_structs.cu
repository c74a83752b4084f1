// s2sad: --of y,frame --wrt x,pose,frame
// Arrays of rows in structs, passed to functions and walked along: of an argument, in shared memory, a local's.
struct Frame {
    float R[3][3];
    float T[2][2][3];
    float t[3];
};

__device__ __noinline__ void rotation(const float *r, float R[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            R[i][j] = sinf(r[i] * r[j]) + i;
}

__device__ float trace(const float (*R)[3], const float t[3])
{
    float sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
        sum += (*R)[k] * t[k];
        ++R;
    }
    return sum;
}

__device__ float crossed(const float T[2][2][3]) { return T[0][1][2] * T[1][0][1]; }
__device__ float inner(const float T[2][3]) { return T[1][2] * T[0][1]; }
__device__ float column(const float (&R)[3][3], int k) { return R[0][k] * R[1][k]; }

extern "C" __global__ void rows_in_structs(const float *x, const Frame *pose, Frame *frame, float *y, int n)
{
    __shared__ Frame row_of[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Frame own;
    if (i < n)
        rotation(x + 3 * i, row_of[threadIdx.x].R);
    __syncthreads();
    if (i >= n)
        return;
    rotation(frame[i].t, own.R);
    const float (*row)[3] = pose[i].R;
    const float (*next)[3] = row + 1;
    float v = trace(row_of[threadIdx.x].R, pose[i].t) + trace(&row[0], own.R[1]) + trace(&own.R[0], pose[i].t) + next[1][2] * row[0][1];
    v += crossed(pose[i].T) + inner(pose[i].T[1]) + column(own.R, 1) + column(pose[i].R, 2);
    float (*at)[3] = frame[i].R + 1;
    at[0][1] *= v;
    for (int k = 0; k < 2; ++k, ++at)
        at[0][2] += x[i] * at[0][1];
    y[i] = v * own.R[2][0];
}
