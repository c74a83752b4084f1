// glm_frame_adj: adjoint of glm_frame (glm_frame.cu:15).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform glm_frame.cu --of out --wrt points,turn
//
// Call with points and turn as they were before glm_frame. Seed adj_out with dJ/dout:
// it is left alone, because glm_frame stores each element of out at most once.
// dJ/dpoints is added to adj_points; dJ/dturn is added to adj_turn. out is neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   q.w, u.x, u.y, u.z, s.x,   reloaded   still in its variable
//   s.y, s.z, at.x, at.y,
//   at.z, c.x, c.y,
//   lens.c0.y (line 22),
//   lens.c1.x (line 22),
//   lens.c0.x (line 23),
//   lens.c1.y (line 24), d,
//   lens.c0.x (line 25),
//   lens.c0.y (line 25),
//   lens.c1.x (line 25),
//   lens.c1.y (line 25), b,
//   v.x, v.y, sum.x, sum.y,
//   a
//   points[..].z,              reloaded   nothing stores to it
//   points[..].y,
//   points[..].x
//
// How adjoints are added up:
//   adj_turn[..]       reduced per block   every thread reads turn[1], turn[2], turn[3]
//                                          and turn[0]
//   adj_points[..].z   +=, one owner       one thread per element
//   adj_points[..].y   +=, one owner       one thread per element
//   adj_points[..].x   +=, one owner       one thread per element
//
// At kinks and singular points:
//   max: at a tie the first argument takes the whole adjoint
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct vec2 {
    float x;
    float y;
};
struct vec3 {
    float x;
    float y;
    float z;
};
struct mat2 {
    vec2 c0;
    vec2 c1;
};
struct quat {
    float x;
    float y;
    float z;
    float w;
};

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

__global__ void glm_frame_adj(const vec3 *points, vec3 *adj_points,
                              const float *turn, float *adj_turn,
                              vec2 *out, const vec2 *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_turn_3 = 0.0f;
    quat adj_q = {};
    vec3 adj_u = {};
    if (i < n) {
        // ---- forward sweep ------------------------------------------------------

        quat q = {turn[1], turn[2], turn[3], turn[0]};
        vec3 u = {q.x, q.y, q.z};
        vec3 s = {u.y * points[i].z - points[i].y * u.z, u.z * points[i].x - points[i].z * u.x,
                  u.x * points[i].y - points[i].x * u.y};
        vec3 t = {u.y * s.z - s.y * u.z, u.z * s.x - s.z * u.x, u.x * s.y - s.x * u.y};
        vec3 at = {points[i].x + (s.x * q.w + t.x) * (float)2 + 0.1f,
                   points[i].y + (s.y * q.w + t.y) * (float)2 + 0.2f,
                   points[i].z + (s.z * q.w + t.z) * (float)2 + 4.0f};
        vec2 c = {turn[3], 0.5f};
        vec2 column0 = {c.x * at.x, c.y * at.x};
        vec2 column1 = {c.x * at.y, c.y * at.y};
        mat2 lens;
        lens.c0.x = column0.x;
        lens.c0.y = column0.y;
        lens.c1.x = column1.x;
        lens.c1.y = column1.y;
        lens.c0.x += 2.0f;
        lens.c1.y += 2.0f;
        float d = (float)1 / (lens.c0.x * lens.c1.y - lens.c1.x * lens.c0.y);
        mat2 lens_2;
        lens_2.c0.x = lens.c1.y * d;
        lens_2.c0.y = -lens.c0.y * d;
        lens_2.c1.x = -lens.c1.x * d;
        lens_2.c1.y = lens.c0.x * d;
        float b = 1.0f / at.z;
        vec2 v = {at.x * b, at.y * b};
        vec2 sum = {v.x * lens_2.c0.x + v.y * lens_2.c1.x, v.x * lens_2.c0.y + v.y * lens_2.c1.y};
        for (int k = 0; k < 2; ++k)
            if (k == 0)
                sum.x += (k == 0 ? lens.c0.y : lens.c1.y) * (k == 0 ? at.x : k == 1 ? at.y : at.z);
            else
                sum.y += (k == 0 ? lens.c0.y : lens.c1.y) * (k == 0 ? at.x : k == 1 ? at.y : at.z);
        float a = max(at.z, 0.5f);

        // ---- reverse sweep ------------------------------------------------------

        // 28:  out[i] = glm::max(at[2], 0.5f) * sum
        float g = adj_out[i].y;
        float adj_a = sum.y * g;
        vec2 adj_sum;
        adj_sum.y = a * g;
        float g_2 = adj_out[i].x;
        adj_a += sum.x * g_2;
        adj_sum.x = a * g_2;
        vec3 adj_at;
        adj_at.z = 0.0f;

        // 28:  glm::max(at[2], 0.5f)
        if (at.z >= 0.5f)
            adj_at.z = adj_a;
        adj_at.y = 0.0f;
        adj_at.x = 0.0f;
        mat2 adj_lens;
        adj_lens.c1.y = 0.0f;
        adj_lens.c0.y = 0.0f;
        for (int k = 0; k < 2; ++k)
            if (k == 0) {
                // 27:  sum[k] += lens[k][1] * at[k]
                float g = (k == 0 ? at.x : k == 1 ? at.y : at.z) * adj_sum.x;
                if (k == 0)
                    adj_lens.c0.y += g;
                else
                    adj_lens.c1.y += g;
                float g_2 = (k == 0 ? lens.c0.y : lens.c1.y) * adj_sum.x;
                if (k == 0)
                    adj_at.x += g_2;
                else if (k == 1)
                    adj_at.y += g_2;
                else
                    adj_at.z += g_2;
            } else {
                // 27:  sum[k] += lens[k][1] * at[k]
                float g = (k == 0 ? at.x : k == 1 ? at.y : at.z) * adj_sum.y;
                if (k == 0)
                    adj_lens.c0.y += g;
                else
                    adj_lens.c1.y += g;
                float g_2 = (k == 0 ? lens.c0.y : lens.c1.y) * adj_sum.y;
                if (k == 0)
                    adj_at.x += g_2;
                else if (k == 1)
                    adj_at.y += g_2;
                else
                    adj_at.z += g_2;
            }

        // 25:  glm::vec2 sum = projected(at, glm::inverse(lens))
        vec2 adj_v;
        adj_v.x = lens_2.c0.y * adj_sum.y + lens_2.c0.x * adj_sum.x;
        mat2 adj_lens_2;
        adj_lens_2.c0.y = v.x * adj_sum.y;
        adj_v.y = lens_2.c1.y * adj_sum.y + lens_2.c1.x * adj_sum.x;
        adj_lens_2.c1.y = v.y * adj_sum.y;
        adj_lens_2.c0.x = v.x * adj_sum.x;
        adj_lens_2.c1.x = v.y * adj_sum.x;

        // 12:  glm::vec2(at) * (1.0f / at.z)
        adj_at.x += b * adj_v.x;
        adj_at.y += b * adj_v.y;

        // 12:  1.0f / at.z
        adj_at.z -= b * b * (at.y * adj_v.y + at.x * adj_v.x);

        // 25:  glm::inverse(lens)
        adj_lens.c0.x = d * adj_lens_2.c1.y;
        adj_lens.c1.x = -(d * adj_lens_2.c1.x);
        adj_lens.c0.y -= d * adj_lens_2.c0.y;
        adj_lens.c1.y += d * adj_lens_2.c0.x;

        // matrices.h:479:  T d = T(1) / determinant(m)
        float g_3 = -(d
                      * (lens.c0.x * adj_lens_2.c1.y - lens.c1.x * adj_lens_2.c1.x
                         - lens.c0.y * adj_lens_2.c0.y + lens.c1.y * adj_lens_2.c0.x)
                      / (lens.c0.x * lens.c1.y - lens.c1.x * lens.c0.y));
        adj_lens.c0.x += lens.c1.y * g_3;
        adj_lens.c0.y -= lens.c1.x * g_3;
        adj_lens.c1.x -= lens.c0.y * g_3;
        adj_lens.c1.y += lens.c0.x * g_3;

        // matrices.h:161:  c * r.y
        adj_at.y += c.y * adj_lens.c1.y + c.x * adj_lens.c1.x;
        vec2 adj_c;
        adj_c.x = at.y * adj_lens.c1.x;

        // matrices.h:161:  c * r.x
        adj_at.x += c.y * adj_lens.c0.y + c.x * adj_lens.c0.x;
        adj_c.x += at.x * adj_lens.c0.x;

        // 22:  glm::vec2(turn[3], 0.5f)
        adj_turn_3 = adj_c.x;

        // 21:  vec3 at = q * points[i] + vec3(0.1f, 0.2f, 4.0f)
        adj_points[i].z += adj_at.z;
        float g_4 = (float)2 * adj_at.z;
        vec3 adj_s;
        adj_s.z = q.w * g_4;
        adj_q.w = s.z * g_4;
        adj_points[i].y += adj_at.y;
        float g_5 = (float)2 * adj_at.y;
        adj_s.y = q.w * g_5;
        adj_points[i].x += adj_at.x;
        adj_q.w += s.y * g_5;
        float g_6 = (float)2 * adj_at.x;
        adj_s.x = q.w * g_6;
        adj_q.w += s.x * g_6;

        // 21:  q * points[i]
        adj_u.x = s.y * g_4 - s.z * g_5;
        adj_s.x += u.z * g_5 - u.y * g_4;
        adj_s.y += u.x * g_4 - u.z * g_6;
        adj_u.y = s.z * g_6 - s.x * g_4;
        adj_s.z += u.y * g_6 - u.x * g_5;
        adj_u.x += points[i].y * adj_s.z - points[i].z * adj_s.y;
        adj_points[i].x += u.z * adj_s.y - u.y * adj_s.z;
        adj_points[i].y += u.x * adj_s.z - u.z * adj_s.x;
        adj_u.y += points[i].z * adj_s.x - points[i].x * adj_s.z;
        adj_points[i].z += u.y * adj_s.x - u.x * adj_s.y;

        // 20:  glm::quat q(turn[0], turn[1], turn[2], turn[3])
        adj_turn_3 += s.x * g_5 - s.y * g_6 + points[i].x * adj_s.y - points[i].y * adj_s.x;
    }
    block_add(&adj_turn[3], adj_turn_3);
    block_add(&adj_turn[0], adj_q.w);
    block_add(&adj_turn[2], adj_u.y);
    block_add(&adj_turn[1], adj_u.x);
}
