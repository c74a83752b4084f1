// Adjoint of hand_bones. With A the absolute transformation of a bone, L the one relative to its parent P, and I
// the inverse of its rest pose,
//     A = A_P L,    T = A I,    L = base turn,    turn = Ry(spread) Rx(bend);
//     G = dJ/dA = seed of A + dJ/dT I^T + the sum of G_C L_C^T over the bone's children C.
// A rotation R by an angle about an axis n has the derivative R [n]x, where [n]x v = n x v. Behind the whole turn,
// the axis of the bend is (1, 0, 0), and that of the spread is turned by Rx^T to (0, cos(bend), -sin(bend)). So
//     dJ/d(angle) = <G, A [n]x> = n . m,    m = sum over the three rows of (row of G) x (row of A),
// and dJ/dL isn't needed. Row r of each A and G depends only on row r of others: three threads go along the bones
// without waiting for each other. Before and after that, a thread is one bone.
#define BONES 22

// product = row m; the last row of m is (0, 0, 0, 1).
static __device__ __forceinline__ void times(const double *row, const double *m, double *product)
{
    for (int k = 0; k < 4; ++k)
        product[k] = row[0] * m[k] + row[1] * m[4 + k] + row[2] * m[8 + k];
    product[3] += row[3];
}

// sum += row m^T
static __device__ __forceinline__ void add_times_transposed(const double *row, const double *m, double *sum)
{
    for (int k = 0; k < 3; ++k)
        sum[k] += row[0] * m[4 * k] + row[1] * m[4 * k + 1] + row[2] * m[4 * k + 2] + row[3] * m[4 * k + 3];
    sum[3] += row[3];
}

extern "C" __global__ void hand_bones_adj(const double *__restrict__ theta, double *__restrict__ adj_theta,
                                          const int *__restrict__ parent, const double *__restrict__ base,
                                          const double *__restrict__ inverse, double *__restrict__ absolute,
                                          double *__restrict__ adj_absolute, double *__restrict__ transform,
                                          const double *__restrict__ adj_transform)
{
    __shared__ double A[BONES][12], L[BONES][12], G[BONES][12];
    __shared__ double sine[BONES], cosine[BONES];  // of the bends
    if (blockIdx.x != 0)
        return;

    // what doesn't need the other bones: L, and G without the children
    for (int b = threadIdx.x; b < BONES; b += blockDim.x) {
        const int first = 6 + 4 * ((b - 2) / 4), joint = (b - 2) % 4;
        const bool bends = b >= 2 && joint < 3, spreads = b >= 2 && joint == 0;
        double sx = 0.0, cx = 1.0, sy = 0.0, cy = 1.0;
        if (bends)
            sincos(theta[first + (spreads ? 0 : joint + 1)], &sx, &cx);
        if (spreads)
            sincos(theta[first + 1], &sy, &cy);
        sine[b] = sx;
        cosine[b] = cx;
        #pragma unroll 1
        for (int r = 0; r < 3; ++r) {
            const double *from = base + 12 * b + 4 * r;
            const double y = from[1], z = sy * from[0] + cy * from[2];
            double *row = L[b] + 4 * r;
            row[0] = cy * from[0] - sy * from[2];
            row[1] = cx * y + sx * z;
            row[2] = cx * z - sx * y;
            row[3] = from[3];
            for (int k = 0; k < 4; ++k) {
                G[b][4 * r + k] = adj_absolute[12 * b + 4 * r + k];
                adj_absolute[12 * b + 4 * r + k] = 0.0;  // the primal overwrites all of `absolute`
            }
            add_times_transposed(adj_transform + 12 * b + 4 * r, inverse + 12 * b, G[b] + 4 * r);
        }
    }
    __syncthreads();

    for (int r = threadIdx.x; r < 3; r += blockDim.x) {
        #pragma unroll 1
        for (int b = 0; b < BONES; ++b)
            if (parent[b] < 0)
                for (int k = 0; k < 4; ++k)
                    A[b][4 * r + k] = L[b][4 * r + k];
            else
                times(A[parent[b]] + 4 * r, L[b], A[b] + 4 * r);
        #pragma unroll 1
        for (int b = BONES - 1; b >= 0; --b)
            if (parent[b] >= 0)
                add_times_transposed(G[b] + 4 * r, L[b], G[parent[b]] + 4 * r);
    }
    __syncthreads();

    // an angle is of one bone
    for (int b = 2 + threadIdx.x; b < BONES; b += blockDim.x) {
        const int first = 6 + 4 * ((b - 2) / 4), joint = (b - 2) % 4;
        if (joint == 3)
            continue;
        double mx = 0.0, my = 0.0, mz = 0.0;
        for (int r = 0; r < 12; r += 4) {
            const double *g = G[b] + r, *a = A[b] + r;
            mx += g[1] * a[2] - g[2] * a[1];
            my += g[2] * a[0] - g[0] * a[2];
            mz += g[0] * a[1] - g[1] * a[0];
        }
        adj_theta[first + (joint == 0 ? 0 : joint + 1)] += mx;
        if (joint == 0)
            adj_theta[first + 1] += cosine[b] * my - sine[b] * mz;
    }
}
