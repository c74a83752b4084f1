__global__ void bits(const float *x, float *y, int n)
{
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    int own = *(int *)&part[t];
//             ^^^^^^^^^^^^^^^ bit-reinterpretation: `(int *)&part[t]` has no derivative
    int *first = (int *)part;
//               ^^^^^^^^^^^ bit-reinterpretation: `(int *)part` has no derivative
    int *behind = (int *)&part[32];
//                ^^^^^^^^^^^^^^^^ bit-reinterpretation: `(int *)&part[32]` has no derivative
    first[t] = n;
    y[t] = part[own & 31] + first[0] + behind[t];
}
