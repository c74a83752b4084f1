// quaternion_adj: adjoint of quaternion (quaternion.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform quaternion.cu --of rx,ry,rz --wrt q,vx,vy,vz
//
// Call with q, vx, vy and vz as they were before quaternion. Seed adj_rx with dJ/drx:
// it is left alone, because quaternion stores each element of rx at most once. Seed
// adj_ry with dJ/dry: it is left alone, because quaternion stores each element of ry at
// most once. Seed adj_rz with dJ/drz: it is left alone, because quaternion stores each
// element of rz at most once. dJ/dq is added to adj_q; dJ/dvx is added to adj_vx;
// dJ/dvy is added to adj_vy; dJ/dvz is added to adj_vz. rx, ry and rz are neither read
// nor written.
//
// What the reverse sweep needs, and where it finds it:
//   a (line 9)                  tape_a, a register   line 11 overwrites it
//   b (line 9)                  tape_b, a register   line 12 overwrites it
//   c (line 9)                  tape_c, a register   line 13 overwrites it
//   d (line 9)                  tape_d, a register   line 14 overwrites it
//   norm, a (line 11),          reloaded             still in its variable
//   b (line 12), c (line 13),
//   d (line 14), x, y, z, tx,
//   ty, tz
//
// How adjoints are added up:
//   adj_q[..]    +=, one owner   one thread per element
//   adj_vx[..]   +=, one owner   one thread per element
//   adj_vy[..]   +=, one owner   one thread per element
//   adj_vz[..]   +=, one owner   one thread per element
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void quaternion_adj(const float *q, float *adj_q,
                                          const float *vx, float *adj_vx,
                                          const float *vy, float *adj_vy,
                                          const float *vz, float *adj_vz,
                                          float *rx, const float *adj_rx,
                                          float *ry, const float *adj_ry,
                                          float *rz, const float *adj_rz, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = q[4 * i];
    float tape_a = a;
    float b = q[4 * i + 1];
    float tape_b = b;
    float c = q[4 * i + 2];
    float tape_c = c;
    float d = q[4 * i + 3];
    float tape_d = d;
    float norm = sqrtf(a * a + b * b + c * c + d * d);
    a /= norm;
    b /= norm;
    c /= norm;
    d /= norm;
    float x = vx[i];
    float y = vy[i];
    float z = vz[i];
    float tx = 2.0f * (c * z - d * y);
    float ty = 2.0f * (d * x - b * z);
    float tz = 2.0f * (b * y - c * x);

    // 21:  rz[i] = z + a * tz + (b * ty - c * tx)
    float g = adj_rz[i];
    float adj_z = g;
    float adj_a = tz * g;
    float adj_tz = a * g;
    float adj_b = ty * g;
    float adj_ty = b * g;
    float adj_c = -(tx * g);
    float adj_tx = -(c * g);

    // 20:  ry[i] = y + a * ty + (d * tx - b * tz)
    float g_2 = adj_ry[i];
    float adj_y = g_2;
    adj_a += ty * g_2;
    adj_ty += a * g_2;
    float adj_d = tx * g_2;
    adj_tx += d * g_2;
    adj_b -= tz * g_2;
    adj_tz -= b * g_2;

    // 19:  rx[i] = x + a * tx + (c * tz - d * ty)
    float g_3 = adj_rx[i];
    float adj_x = g_3;
    adj_a += tx * g_3;
    adj_tx += a * g_3;
    adj_c += tz * g_3;
    adj_tz += c * g_3;
    adj_d -= ty * g_3;
    adj_ty -= d * g_3;

    // 18:  float tz = 2.0f * (b * y - c * x)
    float g_4 = 2.0f * adj_tz;
    adj_b += y * g_4;
    adj_y += b * g_4;
    adj_c -= x * g_4;
    adj_x -= c * g_4;

    // 17:  float ty = 2.0f * (d * x - b * z)
    float g_5 = 2.0f * adj_ty;
    adj_d += x * g_5;
    adj_x += d * g_5;
    adj_b -= z * g_5;
    adj_z -= b * g_5;

    // 15:  float x = vx[i]
    adj_vx[i] += adj_x;

    // 16:  float tx = 2.0f * (c * z - d * y)
    float g_6 = 2.0f * adj_tx;
    adj_c += z * g_6;
    adj_z += c * g_6;
    adj_d -= y * g_6;
    adj_y -= d * g_6;

    // 15:  y = vy[i]
    adj_vy[i] += adj_y;
    // 15:  z = vz[i]
    adj_vz[i] += adj_z;

    // 14:  d /= norm
    float g_7 = adj_d / norm;
    float adj_norm = -(tape_d * g_7 / norm);
    adj_d = g_7;

    // 13:  c /= norm
    float g_8 = adj_c / norm;
    adj_norm -= tape_c * g_8 / norm;
    adj_c = g_8;

    // 12:  b /= norm
    float g_9 = adj_b / norm;
    adj_norm -= tape_b * g_9 / norm;
    adj_b = g_9;

    // 11:  a /= norm
    float g_10 = adj_a / norm;
    adj_norm -= tape_a * g_10 / norm;
    adj_a = g_10;

    // 10:  float norm = sqrtf(a * a + b * b + c * c + d * d)
    if (adj_norm != 0.0f) {
        float g = 0.5f * adj_norm / norm;
        adj_a += 2.0f * tape_a * g;
        adj_b += 2.0f * tape_b * g;
        adj_c += 2.0f * tape_c * g;
        adj_d += 2.0f * tape_d * g;
    }

    // 9:  float a = q[4 * i]
    adj_q[4 * i] += adj_a;
    // 9:  b = q[4 * i + 1]
    adj_q[4 * i + 1] += adj_b;
    // 9:  c = q[4 * i + 2]
    adj_q[4 * i + 2] += adj_c;
    // 9:  d = q[4 * i + 3]
    adj_q[4 * i + 3] += adj_d;
}
