// s2sad: --of depth --wrt spheres,sun
// Rays against spheres: a small class with a constructor, methods and operators.
class Vec3 {
public:
    float x, y, z;
    __device__ Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
    __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
    __device__ Vec3 operator*(float s) const { return Vec3(s * x, s * y, s * z); }
    __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    __device__ float length() const { return sqrtf(this->dot(*this)); }
    __device__ Vec3 unit() const { return *this * (1.0f / length()); }
};

struct Sphere {
    Vec3 centre;
    float radius;
};

__global__ void trace(const Sphere *spheres, Vec3 sun, float *depth, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Vec3 eye(0.0f, 0.0f, -4.0f);
    Vec3 ray = Vec3((i % width) * 0.1f - 0.7f, (i / width) * 0.1f - 0.3f, 2.0f).unit();
    float light = 0.0f;
    for (int k = 0; k < 3; ++k) {
        Vec3 to = spheres[k].centre - eye;
        float along = to.dot(ray);
        float gap = spheres[k].radius * spheres[k].radius - to.dot(to) + along * along;
        if (gap > 0.0f) {
            Vec3 hit = eye + ray * (along - sqrtf(gap));
            Vec3 normal = (hit - spheres[k].centre).unit();
            light += normal.dot(sun) / (1.0f + along);
        }
    }
    depth[i] = light;
}
