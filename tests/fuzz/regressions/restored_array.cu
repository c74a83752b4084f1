// A local array that only snapshots restore in the reverse kernel of its own had no declaration there (--mode split --names adj --skin plain)

__device__ float g0(float f, float h)
{
    double w[2] = {h, cosf(sqrt(0.5 + f * f))};
    int steps = 4 % 2 * 2;
    for (int o = 0; o != 3; o++) {
        float acc = w[o / 2];
        int c = 0;
        do {
            unsigned l = 4;
            while (l > 0 && l-- > 0) {
                double d = acc;
                steps = o;
                f = 0.7f * sinf(d);
            }
        } while (((int)(1.5f + sinf(acc))) < o && c++ < 1);
    }
    return 1.4f * cosf((h * f - (-f)));
}

__device__ float turn0(const float *a2, float b2[2], float &r2)
{
    float b = 1.4f * sin((g0(r2, b2[1]) - (-a2[(((1 % 3 - 3 * 2)) % 2 + 2) % 2])));
    return 1.4f * sinf(r2 / (1.2 + fabs(r2)) * g0(a2[3 / 3], r2));
}

extern "C" __global__ void restored_array(int n, int m, float r, double beta, const float *x, const float *y, const int *idx, double *yy)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    switch ((idx[((i + idx[m])) % 3]) % 3) {
        case 0:
        {
            yy[i] = sin(g0(1.4f * cosf(y[(i + 1) % n] * yy[i]), tanhf(sqrt(0.5 + yy[i] * yy[i]))) * (-y[i]) * r);
            switch ((idx[(((idx[4 % 2 * 2] + idx[n % 6]) + m * 2)) % 6]) % 4) {
                case 0:
                {
                    double e[2][4];
                    for (int q0 = 0; q0 < 2; q0++) {
                        for (int q1 = 0; q1 < 4; ++q1) {
                            e[q0][q1] = 1.4f * tanhf(r * beta);
                        }
                    }
                    const float *d = &y[i];
                    if (!(beta > 0.13f)) {
                        d = y + (idx[n % 6]);
                    }
                }
                break;
                default:
                {
                    for (int o = 0; o < ((int)(1.5f + sinf(r / (2.0f + sinf(r))))); o += 2) {
                        r = 1.12f * tanhf(g0(cosf((yy[i] - y[(i + 1) % n]) * (0.6 - y[i])), 1.4f * sinf(((((-x[i])) >= (x[idx[i]] * yy[i]) ? 0.2f : r) - yy[i]))));
                        for (int c = 1; c < (int)(37 * (((1 + m) + i / 2)) % 5); c += 2) {
                            beta = 0.8f * sinf(beta + yy[i] * x[((m + 4)) % 3]) + 0.01f * c;
                        }
                        float v[3];
                        for (int q0 = 0; q0 < 3; ++q0) {
                            v[q0] = 1.4f * sinf((beta * r + (-x[n % 6])));
                        }
                    }
                }
                break;
                case 1:
                {
                    double d[3] = {1.4f * cosf(r * yy[i]), (-1.1f), 1.4f * sin(beta * y[i])};
                    {
                        float &z = r;
                        int k = 0;
                        do {
                            int ii = 0;
                            while (ii++ < 4) {
                                beta /= (1.3f + r * r);
                                if (!(!((x[idx[i]]) < -0.21f))) {
                                    {
                                        double &v = yy[i];
                                        z /= (1.3f + 1.0f / (1.0f + expf(-beta)) * 1.0f / (1.0f + expf(-beta)));
                                        {
                                            double &s = yy[i];
                                            int j = (int)(1.5f + sinf(yy[i]));
                                        }
                                        z = 0.2f * (double)(((n % 2 == 0 ? beta : d[(int)(1.5f + sinf(z))]) + 1.0f / (1.0f + expf(-y[i]))));
                                        yy[i] -= 0.14f * cosf(g0(v, 1.4f * sinf((r + x[i]))));
                                    }
                                    float acc[2];
                                    for (int q0 = 0; q0 < 2; ++q0) {
                                        acc[q0] = r;
                                    }
                                    z = 0.25f * powf(1.5f + 0.4f * sinf((float)(r * z)), tanhf(cosf((float)(z) * (beta + d[((int)(1.5f + sinf(sin(sqrtf(1.0f + x[idx[i]] * x[idx[i]])))) * 3) % 3]))));
                                }
                                d[((k % 3 + n % 2)) % 3] = 0.2f * (g0(d[(int)(1.5f + sinf(sinf(r)))], r) - sinf(r));
                            }
                        } while (++k < 1);
                    }
                }
            }
        }
        break;
        case 1:
        {
            beta = g0(1.4f * tanhf(((-yy[i]) + y[idx[i]])), 1.4f * sinf((-y[idx[i]] * y[(i + 1) % n])));
        }
        case 2:
        default:
        {
            r = fmaxf(tanhf((beta * x[(i + n - 1) % n] + (beta - x[m]))), sinf((beta * beta - (r - beta))));
        }
    }
    yy[i] = expf(-g0(r, powf(1.5f + 0.4f * sinf(beta), tanhf(r))) * g0(r, powf(1.5f + 0.4f * sinf(beta), tanhf(r))));
}

//--
// kernel = "restored_array"
// of = ["yy"]
// wrt = ["beta", "x", "y", "yy"]
// [launch]
// grid = "(n+3)/4"
// block = 4
// [args]
// n = 6
// m = 3
// r = 0.765
// beta = 0.608
// x = {shape="n", fill="uniform(-1,1)"}
// y = {shape="n", fill="uniform(-1,1)"}
// idx = {shape="n", fill="randint(0,n)"}
// yy = {shape="n", fill="uniform(-1,1)"}
