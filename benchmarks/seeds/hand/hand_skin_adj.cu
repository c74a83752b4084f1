// Adjoint of hand_skin, which needn't blend the vertices again. The primal is q = turn(a, sin(t), cos(t), S p) +
// move: S mirrors, t and a are the angle and the axis of a rotation R, and p = sum of w_b M_b (rest, 1) over the
// bones. For g = dJ/dq
//     dJ/dM_b = S R^T G_b,    G_b = sum over vertices of w_b g (rest, 1)^T;
//     dJ/dmove = sum of g:    the last column of such a G with weights 1, as if of one more bone;
//     dJ/d(t a) = turn(a, (1 - cos(t)) / t, sin(t) / t, m),    m the moment before the rotation:
//     m = sum over vertices of (S p) x (R^T g) = sum over bones of (S M_b) x (R^T G_b), column by column.
// A thread is one bone and sums over the block's vertices, so a block has one atomic for each element of the
// transformations and 6 for theta. Blocks of one warp waste least; any work.
#define BONES 22

struct Vec {
    double x, y, z;
};

static __device__ __forceinline__ Vec operator+(Vec a, Vec b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

static __device__ __forceinline__ Vec operator*(double s, Vec a)
{
    return {s * a.x, s * a.y, s * a.z};
}

static __device__ __forceinline__ double dot(Vec a, Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ __forceinline__ Vec cross(Vec a, Vec b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static __device__ __forceinline__ Vec turn(Vec axis, double sine, double cosine, Vec v)
{
    return cosine * v + sine * cross(axis, v) + ((1.0 - cosine) * dot(axis, v)) * axis;
}

static __device__ __forceinline__ void atomic_add(double *where, int stride, Vec v)
{
    atomicAdd(&where[0], v.x);
    atomicAdd(&where[stride], v.y);
    atomicAdd(&where[2 * stride], v.z);
}

extern "C" __global__ void hand_skin_adj(const double *__restrict__ transform, double *__restrict__ adj_transform,
                                         const double *__restrict__ theta, double *__restrict__ adj_theta,
                                         const double *__restrict__ weight, const double *__restrict__ rest,
                                         double *__restrict__ position, const double *__restrict__ adj_position,
                                         int vertices, int mirrored)
{
    __shared__ Vec moment[BONES];
    const int begin = blockIdx.x * blockDim.x;
    const int end = min(begin + (int)blockDim.x, vertices);
    const double side = mirrored ? -1.0 : 1.0;

    // below the primal's threshold nothing is turned, and nothing depends on the rotation
    Vec axis = {theta[0], theta[1], theta[2]};
    const double t = sqrt(dot(axis, axis));
    const bool turned = t >= 1e-4;
    double sine = 0.0, cosine = 1.0;
    if (turned) {
        axis = (1.0 / t) * axis;
        sincos(t, &sine, &cosine);
    }

    for (int b = threadIdx.x; b <= BONES; b += blockDim.x) {
        Vec G[4] = {};  // its columns
        for (int v = begin; v < end; ++v) {
            const double w = b < BONES ? weight[v * BONES + b] : 1.0;
            const Vec g = w * Vec{adj_position[3 * v], adj_position[3 * v + 1], adj_position[3 * v + 2]};
            G[0] = G[0] + rest[3 * v] * g;
            G[1] = G[1] + rest[3 * v + 1] * g;
            G[2] = G[2] + rest[3 * v + 2] * g;
            G[3] = G[3] + g;
        }
        if (b == BONES) {
            atomic_add(adj_theta + 3, 1, G[3]);
            break;
        }
        const double *m = transform + 12 * b;
        Vec sum = {};
        for (int k = 0; k < 4; ++k) {
            Vec h = turn(axis, -sine, cosine, G[k]);
            sum = sum + cross({side * m[k], m[4 + k], m[8 + k]}, h);
            h.x *= side;
            atomic_add(adj_transform + 12 * b + k, 4, h);
        }
        moment[b] = sum;
    }
    __syncthreads();
    if (threadIdx.x != 0 || !turned)
        return;
    Vec sum = {};
    for (int b = 0; b < BONES; ++b)
        sum = sum + moment[b];
    atomic_add(adj_theta, 1, turn(axis, (1.0 - cosine) / t, sine / t, sum));
}
