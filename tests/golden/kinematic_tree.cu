// s2sad: --of tip --wrt angle,length --assume earlier:parent
// The joints of a robot, one pose per thread: each turns against its parent, which comes before it.
#define JOINTS 6

extern "C" __global__ void kinematic_tree(const float *angle, const float *length, const int *parent,
                                          float *turned, float *reach, float *tip, int poses)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= poses)
        return;
    float *t = turned + p * JOINTS, *r = reach + p * JOINTS;
    for (int j = 0; j < JOINTS; ++j) {
        if (parent[j] < 0) {
            t[j] = angle[p * JOINTS + j];
            r[j] = length[j];
        } else {
            t[j] = sinf(t[parent[j]]) + angle[p * JOINTS + j];
            r[j] = r[parent[j]] * cosf(t[parent[j]]) + length[j] * t[j];
        }
    }
    tip[p] = r[JOINTS - 1];
}
