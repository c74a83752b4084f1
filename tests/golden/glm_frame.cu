// s2sad: --of out --wrt points,turn
// Points turned into a frame and projected, with the types and functions of GLM.
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

namespace scene {

using vec3 = glm::vec<3, float>;

__device__ glm::vec2 projected(const vec3 &at, const glm::mat2 &lens)
{
    return glm::vec2(at) * (1.0f / at.z) * glm::transpose(lens);
}

__global__ void glm_frame(const vec3 *points, const float *turn, glm::vec2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    glm::quat q(turn[0], turn[1], turn[2], turn[3]);
    vec3 at = q * points[i] + vec3(0.1f, 0.2f, 4.0f);
    glm::mat2 lens = glm::outerProduct(glm::vec2(turn[3], 0.5f), glm::vec2(at));
    lens[0][0] += 2.0f;
    lens[1][1] += 2.0f;
    glm::vec2 sum = projected(at, glm::inverse(lens));
    for (int k = 0; k < 2; ++k)
        sum[k] += lens[k][1] * at[k];
    out[i] = glm::max(at[2], 0.5f) * sum;
}

}  // namespace scene
