// ADBench's hand, first kernel: the transformation of each bone from the rest pose, by the angles of its
// joints and those of its parents. One thread. A transformation is three rows of four numbers.
// After J. Taylor et al., "User-specific hand modeling from monocular depth sequences" (2014).
#define BONES 22

// c = a b, the last rows being (0, 0, 0, 1).
__device__ void compose(const double *a, const double *b, double *c)
{
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 4; ++k)
            c[4 * r + k] = a[4 * r] * b[k] + a[4 * r + 1] * b[4 + k] + a[4 * r + 2] * b[8 + k]
                           + (k == 3 ? a[4 * r + 3] : 0.0);
}

// Rotation about z, y, x.
__device__ void rotation(double rx, double ry, double rz, double *m)
{
    const double cx = cos(rx), sx = sin(rx), cy = cos(ry), sy = sin(ry), cz = cos(rz), sz = sin(rz);
    m[0] = cy * cz;
    m[1] = sx * sy * cz - cx * sz;
    m[2] = cx * sy * cz + sx * sz;
    m[3] = 0.0;
    m[4] = cy * sz;
    m[5] = sx * sy * sz + cx * cz;
    m[6] = cx * sy * sz - sx * cz;
    m[7] = 0.0;
    m[8] = -sy;
    m[9] = sx * cy;
    m[10] = cx * cy;
    m[11] = 0.0;
}

// theta: rotation and translation of the hand (6), then for each finger bend and spread of its first joint and the
// bends of the next two.
// s2sad: --of transform --wrt theta --assume earlier:parent
extern "C" __global__ void hand_bones(const double *__restrict__ theta, const int *__restrict__ parent,
                                      const double *__restrict__ base, const double *__restrict__ inverse,
                                      double *__restrict__ absolute, double *__restrict__ transform)
{
    if (blockIdx.x != 0 || threadIdx.x != 0)
        return;
    for (int b = 0; b < BONES; ++b) {
        // bone 0 is the palm, 1 the wrist; then four of each finger, whose last has no joint
        const int finger = (b - 2) / 4, joint = (b - 2) % 4;
        double bend = 0.0, spread = 0.0;
        if (b >= 2 && joint < 3) {
            bend = theta[6 + 4 * finger + (joint == 0 ? 0 : joint + 1)];
            if (joint == 0)
                spread = theta[6 + 4 * finger + 1];
        }
        double turn[12], relative[12];
        rotation(bend, spread, 0.0, turn);
        compose(base + 12 * b, turn, relative);
        if (parent[b] < 0)
            for (int k = 0; k < 12; ++k)
                absolute[12 * b + k] = relative[k];
        else
            compose(absolute + 12 * parent[b], relative, absolute + 12 * b);
        compose(absolute + 12 * b, inverse + 12 * b, transform + 12 * b);
    }
}
