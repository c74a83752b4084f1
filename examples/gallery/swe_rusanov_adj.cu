// swe_rusanov_adj: adjoint of swe_rusanov (swe_rusanov.cu:27).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform swe_rusanov.cu --of next --wrt now,bed
//
// Call with now and bed as they were before swe_rusanov. Seed adj_next with dJ/dnext:
// it is left alone, because swe_rusanov stores each element of next at most once.
// dJ/dnow is added to adj_now; dJ/dbed is added to adj_bed. next is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   q.h, q.hu, q.hv,           reloaded   still in its variable
//   ul (line 17),
//   ur (line 17),
//   speed (line 20),
//   s (line 21), l.h, l.hu,
//   l.hv, r.h, r.hu, r.hv,
//   s (line 42), out.hu,
//   out.hv, speed (line 43),
//   drag
//   now[..].h, now[..].hu,     reloaded   nothing stores to it
//   now[..].hv, bed[..]
//
// How adjoints are added up:
//   adj_now[..].h    atomicAdd   neighbouring threads share now[c], l.h, r.h, l and
//                                others
//   adj_now[..].hu   atomicAdd   neighbouring threads share now[c], l.hu, r.hu, l and
//                                others
//   adj_now[..].hv   atomicAdd   neighbouring threads share now[c], l.hv, r.hv, l and
//                                others
//   adj_bed[..]      atomicAdd   neighbouring threads share bed[c + 1], bed[c - 1],
//                                bed[c + nx] and bed[c - nx]
//
// At kinks and singular points:
//   fmaxf: at a tie the first argument takes the whole adjoint
//   fabsf: at 0 its derivative is 0
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

struct State {
    float h, hu, hv;
};

constexpr float G = 9.81f;

extern "C" __global__ void swe_rusanov_adj(const State *__restrict__ now, State *adj_now,
                                           const float *__restrict__ bed,
                                           float *__restrict__ adj_bed,
                                           State *__restrict__ next, const State *adj_next,
                                           float manning, float dt, float dx, int nx, int ny)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i >= nx - 1 || j >= ny - 1)
        return;

    const int c = j * nx + i;
    const State q = now[c];
    int at = c - 1;
    const float ul = now[at].hu / now[at].h;
    const float ur = q.hu / q.h;
    State fl;
    fl.hu = now[at].hu * ul + 0.5f * G * now[at].h * now[at].h;
    fl.hv = now[at].hv * ul;
    State fr;
    fr.hu = q.hu * ur + 0.5f * G * q.h * q.h;
    fr.hv = q.hv * ur;
    const float speed = fmaxf(fabsf(ul) + sqrtf(G * now[at].h), fabsf(ur) + sqrtf(G * q.h));
    float s = 0.5f * speed;
    int at2 = c + 1;
    const float ul_2 = q.hu / q.h;
    const float ur_2 = now[at2].hu / now[at2].h;
    State fl_2;
    fl_2.hu = q.hu * ul_2 + 0.5f * G * q.h * q.h;
    fl_2.hv = q.hv * ul_2;
    State fr_2;
    fr_2.hu = now[at2].hu * ur_2 + 0.5f * G * now[at2].h * now[at2].h;
    fr_2.hv = now[at2].hv * ur_2;
    const float speed_2 = fmaxf(fabsf(ul_2) + sqrtf(G * q.h), fabsf(ur_2) + sqrtf(G * now[at2].h));
    float s_2 = 0.5f * speed_2;
    State change;
    change.hu = 0.5f * (fl.hu + fr.hu) - s * (q.hu - now[at].hu)
                - (0.5f * (fl_2.hu + fr_2.hu) - s_2 * (now[at2].hu - q.hu));
    change.hv = 0.5f * (fl.hv + fr.hv) - s * (q.hv - now[at].hv)
                - (0.5f * (fl_2.hv + fr_2.hv) - s_2 * (now[at2].hv - q.hv));
    State l = {now[c - nx].h, now[c - nx].hv, now[c - nx].hu};
    const float ul_3 = l.hu / l.h;
    const float ur_3 = q.hv / q.h;
    State fl_3;
    fl_3.hu = l.hu * ul_3 + 0.5f * G * l.h * l.h;
    fl_3.hv = l.hv * ul_3;
    State fr_3;
    fr_3.hu = q.hv * ur_3 + 0.5f * G * q.h * q.h;
    fr_3.hv = q.hu * ur_3;
    const float speed_3 = fmaxf(fabsf(ul_3) + sqrtf(G * l.h), fabsf(ur_3) + sqrtf(G * q.h));
    float s_3 = 0.5f * speed_3;
    State r = {now[c + nx].h, now[c + nx].hv, now[c + nx].hu};
    const float ul_4 = q.hv / q.h;
    const float ur_4 = r.hu / r.h;
    State fl_4;
    fl_4.hu = q.hv * ul_4 + 0.5f * G * q.h * q.h;
    fl_4.hv = q.hu * ul_4;
    State fr_4;
    fr_4.hu = r.hu * ur_4 + 0.5f * G * r.h * r.h;
    fr_4.hv = r.hv * ur_4;
    const float speed_4 = fmaxf(fabsf(ul_4) + sqrtf(G * q.h), fabsf(ur_4) + sqrtf(G * r.h));
    float s_4 = 0.5f * speed_4;
    change.hu = change.hu
                + (0.5f * (fl_3.hv + fr_3.hv) - s_3 * (q.hu - l.hv)
                   - (0.5f * (fl_4.hv + fr_4.hv) - s_4 * (r.hv - q.hu)));
    change.hv = change.hv
                + (0.5f * (fl_3.hu + fr_3.hu) - s_3 * (q.hv - l.hu)
                   - (0.5f * (fl_4.hu + fr_4.hu) - s_4 * (r.hu - q.hv)));
    change.hu -= 0.5f * G * q.h * (bed[c + 1] - bed[c - 1]);
    change.hv -= 0.5f * G * q.h * (bed[c + nx] - bed[c - nx]);

    float s_5 = dt / dx;
    State out;
    out.hu = q.hu + s_5 * change.hu;
    out.hv = q.hv + s_5 * change.hv;
    const float speed_5 = sqrtf(q.hu * q.hu + q.hv * q.hv) / q.h;
    const float drag = 1.0f + dt * G * manning * manning * speed_5 / powf(q.h, 4.0f / 3.0f);

    // 47:  next[c] = out
    State adj_out = adj_next[c];

    // 46:  out.hv /= drag
    float g = adj_out.hv / drag;
    float adj_drag = -(out.hv * g / drag);
    adj_out.hv = g;

    // 45:  out.hu /= drag
    float g_2 = adj_out.hu / drag;
    adj_drag -= out.hu * g_2 / drag;
    adj_out.hu = g_2;

    // 44:  const float drag = 1.0f + dt * G * manning * manning * speed / powf(q.h, 4.0f / 3.0f)
    float g_3 = adj_drag / powf(q.h, 4.0f / 3.0f);
    State adj_q = {-(dt * G * manning * manning * speed_5 / powf(q.h, 4.0f / 3.0f) * (4.0f / 3.0f)
                     * powf(q.h, 4.0f / 3.0f - 1.0f) * g_3), 0.0f, 0.0f};

    // 43:  const float speed = sqrtf(q.hu * q.hu + q.hv * q.hv) / q.h
    float g_4 = G * dt * manning * manning * g_3 / q.h;
    if (g_4 != 0.0f) {
        float g = 0.5f * g_4 * rsqrtf(q.hu * q.hu + q.hv * q.hv);
        adj_q.hu = 2.0f * q.hu * g;
        adj_q.hv = 2.0f * q.hv * g;
    }
    adj_q.h -= speed_5 * g_4;

    // 42:  State out = q + (dt / dx) * change
    adj_q.hv += adj_out.hv;
    State adj_change;
    adj_change.hv = s_5 * adj_out.hv;
    adj_q.hu += adj_out.hu;
    adj_change.hu = s_5 * adj_out.hu;
    adj_q.h += adj_out.h;
    adj_change.h = s_5 * adj_out.h;

    // 40:  change.hv -= 0.5f * G * q.h * (bed[c + nx] - bed[c - nx])
    adj_q.h -= (bed[c + nx] - bed[c - nx]) * (0.5f * G) * adj_change.hv;
    float g_5 = -(0.5f * G * q.h * adj_change.hv);
    atomicAdd(&adj_bed[c + nx], g_5);
    atomicAdd(&adj_bed[c - nx], -g_5);

    // 39:  change.hu -= 0.5f * G * q.h * (bed[c + 1] - bed[c - 1])
    adj_q.h -= (bed[c + 1] - bed[c - 1]) * (0.5f * G) * adj_change.hu;
    float g_6 = -(0.5f * G * q.h * adj_change.hu);
    atomicAdd(&adj_bed[c + 1], g_6);
    atomicAdd(&adj_bed[c - 1], -g_6);

    // 38:  change = change + turned(rusanov(turned(now[c - nx]), turned(q)) - rusanov(turned(q),
    //      turned(now[c + nx])))
    float g_7 = 0.5f * adj_change.hv;
    float g_8 = -(s_3 * adj_change.hv);
    adj_q.hv += g_8;
    State adj_l;
    adj_l.hu = -g_8;
    float g_9 = -0.5f * adj_change.hv;
    float g_10 = s_4 * adj_change.hv;
    State adj_r;
    adj_r.hu = g_10;
    adj_q.hv -= g_10;
    float g_11 = 0.5f * adj_change.hu;
    float g_12 = -(s_3 * adj_change.hu);
    adj_q.hu += g_12;
    adj_l.hv = -g_12;
    float g_13 = -0.5f * adj_change.hu;
    float g_14 = s_4 * adj_change.hu;
    adj_r.hv = g_14;
    adj_q.hu -= g_14;
    float g_15 = 0.5f * adj_change.h;
    float g_16 = -(s_3 * adj_change.h);
    adj_q.h += g_16;
    adj_l.h = -g_16;
    float g_17 = -0.5f * adj_change.h;
    float g_18 = s_4 * adj_change.h;
    adj_r.h = g_18;
    adj_q.h -= g_18;

    // 21:  0.5f * speed
    float adj_speed_4 = 0.5f
                        * ((r.hu - q.hv) * adj_change.hv + (r.hv - q.hu) * adj_change.hu
                           + (r.h - q.h) * adj_change.h);
    float adj_ur_4 = 0.0f;
    float adj_ul_4 = 0.0f;

    // 20:  const float speed = fmaxf(fabsf(ul) + sqrtf(G * l.h), fabsf(ur) + sqrtf(G * r.h))
    if (speed_4 == fabsf(ul_4) + sqrtf(G * q.h)) {
        adj_ul_4 = (ul_4 > 0.0f ? 1.0f : ul_4 < 0.0f ? -1.0f : 0.0f) * adj_speed_4;
        if (adj_speed_4 != 0.0f)
            adj_q.h += 0.5f * G * adj_speed_4 * rsqrtf(G * q.h);
    } else {
        adj_ur_4 = (ur_4 > 0.0f ? 1.0f : ur_4 < 0.0f ? -1.0f : 0.0f) * adj_speed_4;
        if (adj_speed_4 != 0.0f)
            adj_r.h += 0.5f * G * adj_speed_4 * rsqrtf(G * r.h);
    }

    // 19:  const State fr = {r.hu, r.hu * ur + 0.5f * G * r.h * r.h, r.hv * ur}
    adj_r.hv += ur_4 * g_13;
    adj_ur_4 += r.hv * g_13 + r.hu * g_9;
    adj_r.h += G * r.h * g_9;
    adj_r.hu += ur_4 * g_9 + g_17;

    // 18:  const State fl = {l.hu, l.hu * ul + 0.5f * G * l.h * l.h, l.hv * ul}
    adj_q.hu += ul_4 * g_13;
    adj_ul_4 += q.hu * g_13 + q.hv * g_9;
    adj_q.h += G * q.h * g_9;
    adj_q.hv += ul_4 * g_9 + g_17;

    // 17:  ur = r.hu / r.h
    float g_19 = adj_ur_4 / r.h;
    adj_r.h -= ur_4 * g_19;
    adj_r.hu += g_19;

    // 17:  const float ul = l.hu / l.h
    float g_20 = adj_ul_4 / q.h;
    adj_q.h -= ul_4 * g_20;
    adj_q.hv += g_20;

    // 38:  turned(now[c + nx])
    atomicAdd(&adj_now[c + nx].h, adj_r.h);
    atomicAdd(&adj_now[c + nx].hu, adj_r.hv);
    atomicAdd(&adj_now[c + nx].hv, adj_r.hu);

    // 21:  0.5f * speed
    float adj_speed_3 = -0.5f
                        * ((q.hv - l.hu) * adj_change.hv + (q.hu - l.hv) * adj_change.hu
                           + (q.h - l.h) * adj_change.h);
    float adj_ur_3 = 0.0f;
    float adj_ul_3 = 0.0f;

    // 20:  const float speed = fmaxf(fabsf(ul) + sqrtf(G * l.h), fabsf(ur) + sqrtf(G * r.h))
    if (speed_3 == fabsf(ul_3) + sqrtf(G * l.h)) {
        adj_ul_3 = (ul_3 > 0.0f ? 1.0f : ul_3 < 0.0f ? -1.0f : 0.0f) * adj_speed_3;
        if (adj_speed_3 != 0.0f)
            adj_l.h += 0.5f * G * adj_speed_3 * rsqrtf(G * l.h);
    } else {
        adj_ur_3 = (ur_3 > 0.0f ? 1.0f : ur_3 < 0.0f ? -1.0f : 0.0f) * adj_speed_3;
        if (adj_speed_3 != 0.0f)
            adj_q.h += 0.5f * G * adj_speed_3 * rsqrtf(G * q.h);
    }

    // 19:  const State fr = {r.hu, r.hu * ur + 0.5f * G * r.h * r.h, r.hv * ur}
    adj_q.hu += ur_3 * g_11;
    adj_ur_3 += q.hu * g_11 + q.hv * g_7;
    adj_q.h += G * q.h * g_7;
    adj_q.hv += ur_3 * g_7 + g_15;

    // 18:  const State fl = {l.hu, l.hu * ul + 0.5f * G * l.h * l.h, l.hv * ul}
    adj_l.hv += ul_3 * g_11;
    adj_ul_3 += l.hv * g_11 + l.hu * g_7;
    adj_l.h += G * l.h * g_7;
    adj_l.hu += ul_3 * g_7 + g_15;

    // 17:  ur = r.hu / r.h
    float g_21 = adj_ur_3 / q.h;
    adj_q.h -= ur_3 * g_21;
    adj_q.hv += g_21;

    // 17:  const float ul = l.hu / l.h
    float g_22 = adj_ul_3 / l.h;
    adj_l.h -= ul_3 * g_22;
    adj_l.hu += g_22;

    // 38:  turned(now[c - nx])
    atomicAdd(&adj_now[c - nx].h, adj_l.h);
    atomicAdd(&adj_now[c - nx].hu, adj_l.hv);
    atomicAdd(&adj_now[c - nx].hv, adj_l.hu);

    // 37:  State change = rusanov(now[c - 1], q) - rusanov(q, now[c + 1])
    float g_23 = -(s * adj_change.hv);
    adj_q.hv += g_23;
    float adj_now_hv_at = -g_23;
    float g_24 = s_2 * adj_change.hv;
    float adj_now_hv_at2 = g_24;
    adj_q.hv -= g_24;
    float g_25 = -(s * adj_change.hu);
    adj_q.hu += g_25;
    float adj_now_hu_at = -g_25;
    float g_26 = s_2 * adj_change.hu;
    float adj_now_hu_at2 = g_26;
    adj_q.hu -= g_26;
    float g_27 = -(s * adj_change.h);
    adj_q.h += g_27;
    float adj_now_h_at = -g_27;
    float g_28 = s_2 * adj_change.h;
    float adj_now_h_at2 = g_28;
    adj_q.h -= g_28;

    // 21:  0.5f * speed
    float adj_speed_2 = 0.5f
                        * ((now[at2].hv - q.hv) * adj_change.hv
                           + (now[at2].hu - q.hu) * adj_change.hu
                           + (now[at2].h - q.h) * adj_change.h);
    float adj_ur_2 = 0.0f;
    float adj_ul_2 = 0.0f;

    // 20:  const float speed = fmaxf(fabsf(ul) + sqrtf(G * l.h), fabsf(ur) + sqrtf(G * r.h))
    if (speed_2 == fabsf(ul_2) + sqrtf(G * q.h)) {
        adj_ul_2 = (ul_2 > 0.0f ? 1.0f : ul_2 < 0.0f ? -1.0f : 0.0f) * adj_speed_2;
        if (adj_speed_2 != 0.0f)
            adj_q.h += 0.5f * G * adj_speed_2 * rsqrtf(G * q.h);
    } else {
        adj_ur_2 = (ur_2 > 0.0f ? 1.0f : ur_2 < 0.0f ? -1.0f : 0.0f) * adj_speed_2;
        if (adj_speed_2 != 0.0f)
            adj_now_h_at2 += 0.5f * G * adj_speed_2 * rsqrtf(G * now[at2].h);
    }

    // 19:  const State fr = {r.hu, r.hu * ur + 0.5f * G * r.h * r.h, r.hv * ur}
    atomicAdd(&adj_now[at2].hv, adj_now_hv_at2 + ur_2 * g_9);
    adj_ur_2 += now[at2].hv * g_9 + now[at2].hu * g_13;
    adj_now_hu_at2 += ur_2 * g_13 + g_17;
    adj_now_h_at2 += G * now[at2].h * g_13;

    // 18:  const State fl = {l.hu, l.hu * ul + 0.5f * G * l.h * l.h, l.hv * ul}
    adj_q.hv += ul_2 * g_9;
    adj_ul_2 += q.hv * g_9 + q.hu * g_13;
    adj_q.h += G * q.h * g_13;
    adj_q.hu += ul_2 * g_13 + g_17;

    // 17:  ur = r.hu / r.h
    float g_29 = adj_ur_2 / now[at2].h;
    atomicAdd(&adj_now[at2].h, adj_now_h_at2 - ur_2 * g_29);
    atomicAdd(&adj_now[at2].hu, adj_now_hu_at2 + g_29);

    // 17:  const float ul = l.hu / l.h
    float g_30 = adj_ul_2 / q.h;
    adj_q.h -= ul_2 * g_30;
    adj_q.hu += g_30;

    // 21:  0.5f * speed
    float adj_speed = -0.5f
                      * ((q.hv - now[at].hv) * adj_change.hv + (q.hu - now[at].hu) * adj_change.hu
                         + (q.h - now[at].h) * adj_change.h);
    float adj_ur = 0.0f;
    float adj_ul = 0.0f;

    // 20:  const float speed = fmaxf(fabsf(ul) + sqrtf(G * l.h), fabsf(ur) + sqrtf(G * r.h))
    if (speed == fabsf(ul) + sqrtf(G * now[at].h)) {
        adj_ul = (ul > 0.0f ? 1.0f : ul < 0.0f ? -1.0f : 0.0f) * adj_speed;
        if (adj_speed != 0.0f)
            adj_now_h_at += 0.5f * G * adj_speed * rsqrtf(G * now[at].h);
    } else {
        adj_ur = (ur > 0.0f ? 1.0f : ur < 0.0f ? -1.0f : 0.0f) * adj_speed;
        if (adj_speed != 0.0f)
            adj_q.h += 0.5f * G * adj_speed * rsqrtf(G * q.h);
    }

    // 19:  const State fr = {r.hu, r.hu * ur + 0.5f * G * r.h * r.h, r.hv * ur}
    adj_q.hv += ur * g_7;
    adj_ur += q.hv * g_7 + q.hu * g_11;
    adj_q.h += G * q.h * g_11;
    adj_q.hu += ur * g_11 + g_15;

    // 18:  const State fl = {l.hu, l.hu * ul + 0.5f * G * l.h * l.h, l.hv * ul}
    atomicAdd(&adj_now[at].hv, adj_now_hv_at + ul * g_7);
    adj_ul += now[at].hv * g_7 + now[at].hu * g_11;
    adj_now_hu_at += ul * g_11 + g_15;
    adj_now_h_at += G * now[at].h * g_11;

    // 17:  ur = r.hu / r.h
    float g_31 = adj_ur / q.h;
    adj_q.h -= ur * g_31;
    adj_q.hu += g_31;

    // 17:  const float ul = l.hu / l.h
    float g_32 = adj_ul / now[at].h;
    atomicAdd(&adj_now[at].h, adj_now_h_at - ul * g_32);
    atomicAdd(&adj_now[at].hu, adj_now_hu_at + g_32);

    // 36:  const State q = now[c]
    atomicAdd(&adj_now[c].h, adj_q.h);
    atomicAdd(&adj_now[c].hu, adj_q.hu);
    atomicAdd(&adj_now[c].hv, adj_q.hv);
}
