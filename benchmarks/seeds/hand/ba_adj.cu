// Adjoint of ba. Observations that share a camera or a point may be anywhere, so these adjoints are added by
// atomics; a weight is its thread's own.
//
// The primal turns p, the point seen from the centre, by the angle t about the axis a:
//     q = turn(a, sin(t), cos(t), p) = cos(t) p + sin(t) a x p + (1 - cos(t)) (a . p) a.
// For g = dJ/dq the adjoints are of the same form: the inverse rotation, and with the moment m = q x g
//     dJ/dp = turn(a, -sin(t), cos(t), g),
//     dJ/d(t a) = turn(a, -(1 - cos(t)) / t, sin(t) / t, m).
// Without a rotation the primal has q = p + w x p, w the vector of zeros: sin(t) a is w, and dJ/dw = m.
#define CAMERA 11

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

static __device__ __forceinline__ void atomic_add(double *where, Vec v)
{
    atomicAdd(&where[0], v.x);
    atomicAdd(&where[1], v.y);
    atomicAdd(&where[2], v.z);
}

extern "C" __global__ void ba_adj(const double *__restrict__ cameras, double *__restrict__ adj_cameras,
                                  const double *__restrict__ points, double *__restrict__ adj_points,
                                  const double *__restrict__ weights, double *__restrict__ adj_weights,
                                  const int *__restrict__ camera_of, const int *__restrict__ point_of,
                                  const double *__restrict__ features,
                                  double *__restrict__ error, const double *__restrict__ adj_error,
                                  double *__restrict__ weight_error,
                                  const double *__restrict__ adj_weight_error, int observations)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= observations)
        return;
    const double *camera = cameras + CAMERA * camera_of[i];
    const double *point = points + 3 * point_of[i];
    double *adj_camera = adj_cameras + CAMERA * camera_of[i];

    // the rotated point
    Vec axis = {camera[0], camera[1], camera[2]};
    double sine = 1.0, cosine = 1.0, sine_by_t = 1.0, versine_by_t = 0.0;  // without a rotation
    const double t2 = dot(axis, axis);
    if (t2 != 0.0) {
        const double inverse_t = rsqrt(t2);
        axis = inverse_t * axis;
        sincos(t2 * inverse_t, &sine, &cosine);
        sine_by_t = sine * inverse_t;
        versine_by_t = (1.0 - cosine) * inverse_t;
    }
    const Vec p = {point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]};
    const Vec q = turn(axis, sine, cosine, p);

    // the projection
    const double inverse_z = 1.0 / q.z, u = q.x * inverse_z, v = q.y * inverse_z;
    const double r2 = u * u + v * v;
    const double radial = 1.0 + r2 * (camera[9] + camera[10] * r2), zoom = radial * camera[6];

    // the weight, and what of the camera acts on the pixel, whose adjoints are adj_x and adj_y
    const double w = weights[i], adj_ex = adj_error[2 * i], adj_ey = adj_error[2 * i + 1];
    adj_weights[i] += adj_ex * (u * zoom + camera[7] - features[2 * i])
                      + adj_ey * (v * zoom + camera[8] - features[2 * i + 1]) - 2.0 * w * adj_weight_error[i];
    const double adj_x = w * adj_ex, adj_y = w * adj_ey;
    const double adj_zoom = adj_x * u + adj_y * v, adj_radial = adj_zoom * camera[6];
    atomicAdd(&adj_camera[6], adj_zoom * radial);
    atomicAdd(&adj_camera[7], adj_x);
    atomicAdd(&adj_camera[8], adj_y);
    atomicAdd(&adj_camera[9], adj_radial * r2);
    atomicAdd(&adj_camera[10], adj_radial * r2 * r2);

    // the rotated point again; r2 is another way to u and v
    const double twice_adj_r2 = 2.0 * adj_radial * (camera[9] + 2.0 * camera[10] * r2);
    Vec g;
    g.x = (adj_x * zoom + twice_adj_r2 * u) * inverse_z;
    g.y = (adj_y * zoom + twice_adj_r2 * v) * inverse_z;
    g.z = -(g.x * u + g.y * v);

    // the centre, the point, the rotation
    const Vec adj_p = turn(axis, -sine, cosine, g);
    atomic_add(adj_points + 3 * point_of[i], adj_p);
    atomic_add(adj_camera + 3, -1.0 * adj_p);
    atomic_add(adj_camera, turn(axis, -versine_by_t, sine_by_t, cross(q, g)));
}
