"""Roots, integrals, steps in time, series, transforms and running statistics."""

ALGORITHMS = {
    "bisection": """
        T lo = -3.0 + 0.1 * V[0], hi = 3.0 + 0.1 * A;
        [[int turns = 0; ~ unsigned char turns = 0;]]
        @while(hi - lo > 0.2; turns++) {
            T mid = 0.5 * (lo + hi);
            T f = mid * mid * mid + mid - V[1];
            @if(f > 0.0) { hi = mid; } @else { lo = mid; }
        }
        ACC += (0.3 + 0.05 * turns) * (lo + 2.0 * hi);
    """,
    "Newton": """
        T r = 1.0;
        T want = 1.5 + 0.5 * V[0];
        for (int turn = 0; turn < 6; ++turn) {
            T f = r * r - want;
            if (fabsf(f) < 0.02) break;
            r -= f / (2.0 * r);
        }
        V[0] = r;
    """,
    "secant": """
        T a = 0.0, b = 1.0;
        T fa = a + 0.3 * sinf(a) - V[0], fb = b + 0.3 * sinf(b) - V[0];
        int left = 4;
        @while(left-- > 0 && fabsf(fb) > 0.001; ) {
            T c = b - fb * (b - a) / (fb - fa);
            a = b; fa = fb;
            b = c; fb = b + 0.3 * sinf(b) - V[0];
        }
        ACC += b;
    """,
    "fixed point": """
        T r = V[0], before;
        int turns = 0;
        do {
            before = r;
            r = 0.5 * cosf(r) + 0.2 * V[1];
        } while (fabsf(r - before) > 0.05 && ++turns < 5);
        V[0] = r * (1.0 + 0.1 * turns);
    """,
    "golden section": """
        T a = -2.0, b = 2.0 + 0.2 * A;
        T c = b - 0.618 * (b - a), d = a + 0.618 * (b - a);
        @up(turn, 0, 4) {
            if ((c - V[0]) * (c - V[0]) < (d - V[0]) * (d - V[0])) { b = d; d = c; c = b - 0.618 * (b - a); }
            else { a = c; c = d; d = a + 0.618 * (b - a); }
        }
        ACC += (c + d) * V[1];
    """,
    "trapezoids": """
        T sum = 0.5 * (expf(0.2 * V[0]) + expf(0.2 * V[N - 1]));
        @up(j, 1, N - 1) { sum += expf(0.2 * V[j]); }
        ACC += sum / (N - 1);
    """,
    "Simpson": """
        T sum = 0.0, h = 0.25;
        @up(j, 0, 5) {
            T weight = j == 0 || j == 4 ? 1.0 : j % 2 ? 4.0 : 2.0;
            sum += weight * sinf(V[0] + h * j * V[1]);
        }
        ACC += h / 3.0 * sum;
    """,
    "Romberg": """
        T table[4];
        [[int ~ unsigned]] pieces = 1;
        @upi(r, 0, 4) {
            T sum = 0.0;
            @up(j, 0, pieces) { T at = (j + 0.5) / pieces; sum += cosf(V[0] * at) + V[1] * at * at; }
            T old = sum / pieces;
            T factor = 1.0;
            @upi(c, 0, r) {
                factor *= 4.0;
                T held = table[c];
                table[c] = old;
                old = old + (old - held) / (factor - 1.0);
            }
            table[r] = old;
            pieces *= 2;
        }
        ACC += table[3];
    """,
    "steps of Runge and Kutta": """
        T u = V[0], h = 0.2;
        @up(step, 0, 3) {
            T k1 = sinf(u) + A, k2 = sinf(u + 0.5 * h * k1) + A;
            T k3 = sinf(u + 0.5 * h * k2) + A, k4 = sinf(u + h * k3) + A;
            u += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        V[0] = u;
    """,
    "steps that adapt": """
        T u = V[0], t = 0.0, h = 0.4;
        int turns = 0;
        for (; t < 1.0 && turns < 8; ++turns) {
            if (t + h > 1.0) h = 1.0 - t + 0.001;
            T slope = cosf(u) * V[1];
            T once = u + h * slope, twice = u + 0.5 * h * slope;
            twice += 0.5 * h * cosf(twice) * V[1];
            if (fabsf(once - twice) > 0.03 && h > 0.1) { h *= 0.5; continue; }
            u = twice;
            t += h;
        }
        ACC += u * (1.0 + 0.01 * turns);
    """,
    "leapfrog": """
        T p = V[0], u = V[1];
        u += 0.05 * -sinf(p);
        @up(step, 0, 3) {
            p += 0.1 * u;
            if (step == 2) break;
            u -= 0.1 * sinf(p) * A;
        }
        V[0] = p;
        V[1] = u;
    """,
    "series of exp": """
        T term = 1.0, sum = 1.0;
        for (int k = 1; fabsf(term) > 0.01 && k < 12; ++k) {
            term *= V[0] / k;
            sum += term;
        }
        V[0] = 0.3 * sum;
    """,
    "Horner": """
        T p = 0.0;
        @down(j, N, 0) { p = p * (0.5 * A) + V[j]; }
        ACC += p;
    """,
    "Horner with slope": """
        T at = 0.4 * V[0], p = V[N - 1], slope = 0.0;
        @down(j, N - 1, 0) { slope = slope * at + p; p = p * at + V[j]; }
        ACC += p + 0.5 * slope;
    """,
    "continued fraction from below": """
        T f = 1.5 + 0.1 * A;
        @down(j, N, 0) { f = 1.2 + 0.1 * j + V[j] * V[j] / (1.0 + f * f); }
        ACC += f;
    """,
    "continued fraction from above": """
        T p0 = 1.0, p1 = 1.5, q0 = 0.0, q1 = 1.0;
        @up(j, 0, N) {
            T b = 0.8 + V[j] * V[j];
            T p2 = b * p1 + 0.3 * p0, q2 = b * q1 + 0.3 * q0;
            p0 = p1; p1 = p2;
            q0 = q1; q1 = q2;
        }
        ACC += p1 / q1;
    """,
    "Clenshaw": """
        T b1 = 0.0, b2 = 0.0, at = 0.5 * A;
        @down(j, N, 1) {
            T b0 = V[j] + 2.0 * at * b1 - b2;
            b2 = b1;
            b1 = b0;
        }
        ACC += V[0] + at * b1 - b2;
    """,
    "de Casteljau": """
        T b[K];
        @up(j, 0, K) { b[j] = V[j]; }
        @downi(level, K, 1) { @up(j, 0, level) { b[j] = 0.6 * b[j] + 0.4 * A * b[j + 1]; } }
        ACC += b[0];
    """,
    "Neville": """
        T p[K];
        @up(j, 0, K) { p[j] = V[j]; }
        @upi(m, 1, 3) {
            @upi(j, 0, K - m) { p[j] = ((0.7 - (j + m)) * p[j] + (j - 0.7) * p[j + 1]) / (-1.0 * m); }
        }
        ACC += 0.2 * p[0];
    """,
    "divided differences": """
        @upi(m, 1, 3) { @downi(j, N, m) { V[j] = (V[j] - V[j - 1]) / (0.8 * m + 0.2); } }
        T p = 0.0;
        @downi(j, N, 0) { p = p * (0.3 - 0.1 * j) + V[j]; }
        ACC += p;
    """,
    "means that meet": """
        T a = 1.0 + V[0] * V[0], g = 0.5 + V[1] * V[1];
        @while(fabsf(a - g) > 0.01; ) {
            T m = 0.5 * (a + g);
            g = sqrtf(a * g);
            a = m;
        }
        ACC += a;
    """,
    "Kahan's sum": """
        T sum = 0.0, lost = 0.0;
        @up(j, 0, N) {
            T term = V[j] * V[j] - lost;
            T next = sum + term;
            lost = (next - sum) - term;
            sum = next;
        }
        ACC += sum;
    """,
    "running mean and spread": """
        T mean = 0.0, spread = 0.0;
        [[int ~ unsigned]] many = 0;
        @up(j, 0, N) {
            if (V[j] < -1.2) continue;
            ++many;
            T d = V[j] - mean;
            mean += d / many;
            spread += d * (V[j] - mean);
        }
        if (many > 1) ACC += mean + sqrtf(spread / (many - 1) + 0.1);
    """,
    "softmax in one pass": """
        T most = -20.0, sum = 0.0, mix = 0.0;
        @up(j, 0, N) {
            T next = @max(most, V[j]);
            T scale = expf(most - next), e = expf(V[j] - next);
            sum = sum * scale + e;
            mix = mix * scale + e * (0.5 + 0.1 * j) * V[j];
            most = next;
        }
        ACC += mix / sum;
    """,
    "Haar wavelet": """
        T other[K];
        int width = K [[/ 2 * 2 ~ - K % 2]];
        @while(width >= 2 && width % 2 == 0; width /= 2) {
            @up(j, 0, width / 2) {
                other[j] = 0.6 * (V[2 * j] + V[2 * j + 1]);
                other[width / 2 + j] = 0.6 * (V[2 * j] - V[2 * j + 1]);
            }
            @up(j, 0, width) { V[j] = other[j]; }
        }
    """,
    "butterflies": """
        T f[4];
        @up(j, 0, 4) { f[j] = V[j % K]; }
        for (int half = 1; half < 4; half [[*= 2 ~ <<= 1]]) {
            for (int start = 0; start < 4; start += 2 * half) {
                @upi(j, start, start + half) {
                    T a = f[j], b = f[j + half] * (0.8 + 0.1 * j);
                    f[j] = a + b;
                    f[j + half] = a - b;
                }
            }
        }
        @up(j, 0, 3) { V[j] = 0.4 * f[j]; }
    """,
    "Goertzel": """
        T s1 = 0.0, s2 = 0.0, c = 2.0 * cosf(0.7 * A);
        @up(j, 0, N) { T s0 = V[j] + c * s1 - s2; s2 = s1; s1 = s0; }
        ACC += 0.2 * (s1 * s1 + s2 * s2 - c * s1 * s2);
    """,
    "linear interpolation": """
        T at = (0.5 + 0.45 * sinf(A + V[0])) * (N - 1);
        int cell = (int)floorf(at);
        if (cell > N - 2) cell = N - 2;
        T part = at - cell;
        ACC += (1.0 - part) * V[cell] + part * V[cell + 1];
    """,
    "histogram": """
        T sums[4] = {0.0, 0.0, 0.0, 0.0};
        @up(j, 0, N) {
            int bin = (int)floorf(V[j] * 1.3 + 2.0);
            bin = bin < 0 ? 0 : bin > 3 ? 3 : bin;
            sums[bin] += V[j] * (1.0 + 0.1 * bin);
        }
        @down(b, 4, 0) { ACC = 0.5 * ACC + sums[b] * sums[b]; }
    """,
    "filter of two poles": """
        T u1 = 0.0, u2 = 0.0;
        @up(j, 0, N) {
            T u = V[j] + 0.5 * A * u1 - 0.3 * u2;
            V[j] = u - 0.2 * u2;
            u2 = u1;
            u1 = u;
        }
    """,
    "steepest descent with backtracking": """
        T u = 0.1, step = 1.0;
        @up(turn, 0, 3) {
            T slope = 2.0 * (u - V[0]) + 0.4 * u * u * u;
            T value = (u - V[0]) * (u - V[0]) + 0.1 * u * u * u * u;
            step = 1.0;
            @while(step > 0.05; step *= 0.5) {
                T next = u - step * slope;
                if ((next - V[0]) * (next - V[0]) + 0.1 * next * next * next * next < value) break;
            }
            u -= step * slope;
        }
        V[0] = u;
    """,
    "escape of an orbit": """
        T re = 0.0, im = 0.0;
        int turns = 0;
        @while(re * re + im * im < 4.0 && turns < 6; turns++) {
            T next = re * re - im * im + 0.5 * V[0];
            im = 2.0 * re * im + 0.6 * V[1];
            re = next;
        }
        ACC += 0.1 * re + 0.2 * tanhf(im) + 0.1 * turns * V[0];
    """,
    "light through layers": """
        T through = 1.0, seen = 0.0;
        @up(j, 0, N) {
            T a = 1.0 - expf(-fabsf(V[j]));
            seen += through * a * (0.4 + 0.1 * j);
            through *= 1.0 - a;
            if (through < 0.2) break;
        }
        ACC += seen + through * A;
    """,
}
