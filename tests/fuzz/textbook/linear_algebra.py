"""Small matrices: factorisations, solves, products, iterations."""

ALGORITHMS = {
    "elimination with pivots": """
        T m[3][4];
        @up(a, 0, 3) {
            @up(b, 0, 3) { m[a][b] = V[(a + b) % K] * 0.4 + 0.3 * ((2 * a + b) % 3) + (a == b ? 1.3 : 0.0); }
            m[a][3] = V[a];
        }
        @upi(c, 0, 3) {
            int pivot = c;
            @upi(r, c + 1, 3) { if (fabsf(m[r][c]) > fabsf(m[pivot][c])) pivot = r; }
            if (pivot != c) { @up(b, 0, 4) { @swap(m[c][b], m[pivot][b]) } }
            @upi(r, c + 1, 3) {
                T factor = m[r][c] / m[c][c];
                @upi(b, c, 4) { m[r][b] -= factor * m[c][b]; }
            }
        }
        @downi(r, 3, 0) {
            T sum = m[r][3];
            @upi(b, r + 1, 3) { sum -= m[r][b] * V[b]; }
            V[r] = sum / m[r][r];
        }
    """,
    "triangular factors": """
        T m[3][3];
        @up(a, 0, 3) { @up(b, 0, 3) { m[a][b] = a == b ? 2.0 + 0.3 * V[a] : 0.3 * V[(a + 2 * b) % K]; } }
        @upi(c, 0, 3) {
            @upi(r, c + 1, 3) {
                m[r][c] /= m[c][c];
                @upi(b, c + 1, 3) { m[r][b] -= m[r][c] * m[c][b]; }
            }
        }
        ACC += logf(m[0][0] * m[1][1] * m[2][2]) + 0.2 * m[2][0];
    """,
    "Cholesky": """
        T l[3][3];
        @upi(a, 0, 3) {
            @upi(b, 0, a + 1) {
                T sum = a == b ? 3.0 : 0.0;
                sum += 0.3 * V[a] * V[b];
                @upi(k, 0, b) { sum -= l[a][k] * l[b][k]; }
                @if(a == b) { l[a][a] = sqrtf(sum); } @else { l[a][b] = sum / l[b][b]; }
            }
        }
        @upi(a, 0, 3) {
            T sum = V[a];
            @upi(k, 0, a) { sum -= l[a][k] * V[k]; }
            V[a] = sum / l[a][a];
        }
    """,
    "tridiagonal solve": """
        T c[K], d[K];
        c[0] = 0.5 / (2.0 + 0.1 * A);
        d[0] = V[0] / (2.0 + 0.1 * A);
        @up(j, 1, N) {
            T m = 2.2 + 0.2 * V[j] - 0.5 * c[j - 1];
            c[j] = 0.5 / m;
            d[j] = (V[j] - 0.5 * d[j - 1]) / m;
        }
        V[N - 1] = d[N - 1];
        @down(j, N - 1, 0) { V[j] = d[j] - c[j] * V[j + 1]; }
    """,
    "Jacobi sweeps": """
        T next[K];
        @up(sweep, 0, 3) {
            @upi(j, 0, N) {
                T sum = 0.4 * V[j];
                if (j > 0) sum += 0.3 * V[j - 1];
                if (j + 1 < N) sum += 0.2 * A * V[j + 1];
                next[j] = sum;
            }
            @up(j, 0, N) { V[j] = next[j]; }
        }
    """,
    "Gauss and Seidel": """
        [[int ~ short]] sweeps = 0;
        T moved = 1.0;
        @while(moved > 0.05 && sweeps < 4; ++sweeps) {
            moved = 0.0;
            @up(j, 1, N - 1) {
                T next = 0.5 * (V[j - 1] + V[j + 1]) - 0.1 * V[j] * V[j];
                moved += fabsf(next - V[j]);
                V[j] = next;
            }
        }
    """,
    "product of matrices": """
        T a[2][2], p[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
        a[0][0] = 0.6; a[0][1] = 0.3 * V[0]; a[1][0] = 0.2 * V[1]; a[1][1] = 0.5;
        @up(turn, 0, 3) {
            T q[2][2];
            @up(r, 0, 2) { @up(c, 0, 2) {
                T sum = 0.0;
                @up(k, 0, 2) { sum += p[r][k] * a[k][c]; }
                q[r][c] = sum;
            } }
            @up(r, 0, 2) { @up(c, 0, 2) { p[r][c] = q[r][c]; } }
        }
        V[0] = p[0][0] + p[0][1];
        V[1] += p[1][0] - p[1][1];
    """,
    "transposition in place": """
        T m[3][3];
        @up(r, 0, 3) { @up(c, 0, 3) { m[r][c] = V[(r + c) % K] * (1.0 + 0.1 * r) - 0.2 * c; } }
        @up(r, 0, 3) { @up(c, 0, r) { @swap(m[r][c], m[c][r]) } }
        @up(r, 0, 3) { V[r] = 0.5 * m[r][0] + 0.3 * m[r][2] * m[r][1]; }
    """,
    "Gram and Schmidt": """
        T e[2][3];
        @up(k, 0, 3) { e[0][k] = V[k] + 0.5; e[1][k] = V[(k + 1) % K] - 0.3 * k; }
        @upi(a, 0, 2) {
            @upi(b, 0, a) {
                T dot = 0.0;
                @up(k, 0, 3) { dot += e[a][k] * e[b][k]; }
                @up(k, 0, 3) { e[a][k] -= dot * e[b][k]; }
            }
            T norm = 0.2;
            @up(k, 0, 3) { norm += e[a][k] * e[a][k]; }
            norm = 1.0 / sqrtf(norm);
            @up(k, 0, 3) { e[a][k] *= norm; }
        }
        @up(k, 0, 3) { ACC += e[0][k] * (0.5 + 0.1 * k) - 0.3 * e[1][k]; }
    """,
    "power iteration": """
        T u[3] = {1.0, 0.5, 0.25};
        T value = 0.0;
        @up(turn, 0, 3) {
            T w0 = 2.0 * u[0] + V[0] * u[1], w1 = V[0] * u[0] + u[1] + V[1] * u[2];
            T w2 = V[1] * u[1] + 0.5 * u[2];
            value = sqrtf(w0 * w0 + w1 * w1 + w2 * w2 + 0.01);
            u[0] = w0 / value; u[1] = w1 / value; u[2] = w2 / value;
        }
        ACC += value + u[1];
    """,
    "rotations of Givens": """
        @downi(r, N, 1) {
            T a = V[r - 1], b = V[r];
            T length = sqrtf(a * a + b * b + 0.04);
            T c = a / length, s = b / length;
            V[r - 1] = c * a + s * b;
            V[r] = 0.5 * c - 0.3 * s;
        }
    """,
    "conjugate gradients": """
        T u[3] = {0.0, 0.0, 0.0}, r[3], p[3];
        T rr = 0.0;
        @up(k, 0, 3) { r[k] = V[k]; p[k] = r[k]; rr += r[k] * r[k]; }
        @up(turn, 0, 2) {
            if (rr < 0.0001) break;
            T ap[3], pap = 0.0;
            @up(k, 0, 3) {
                ap[k] = (2.0 + 0.5 * k) * p[k] + 0.3 * p[(k + 1) % 3] + 0.3 * p[(k + 2) % 3];
                pap += p[k] * ap[k];
            }
            T step = rr / pap, old = rr;
            rr = 0.0;
            @up(k, 0, 3) { u[k] += step * p[k]; r[k] -= step * ap[k]; rr += r[k] * r[k]; }
            @up(k, 0, 3) { p[k] = r[k] + rr / old * p[k]; }
        }
        @up(k, 0, 3) { V[k] = u[k]; }
    """,
    "reflection of Householder": """
        T norm = 0.1;
        @up(j, 0, N) { norm += V[j] * V[j]; }
        norm = sqrtf(norm);
        T h = V[0] > 0.0 ? V[0] + norm : V[0] - norm;
        T scale = 0.2 + h * h;
        @up(j, 1, N) { scale += V[j] * V[j]; }
        T dot = h;
        @up(j, 1, N) { dot += 0.3 * V[j]; }
        dot *= 2.0 / scale;
        V[0] = 1.0 - dot * h;
        @up(j, 1, N) { V[j] = 0.3 - dot * V[j]; }
    """,
    "packed triangle": """
        T packed[K * (K + 1) / 2];
        int at = 0;
        @up(r, 0, K) { @up(c, 0, r + 1) { packed[at++] = V[r] * V[c] + 0.1 * c; } }
        @downi(r, K, 0) { @downi(c, r + 1, 0) { --at; ACC += 0.1 * packed[at] * packed[r * (r + 1) / 2]; } }
    """,
    "determinant by permutations": """
        int p[3] = {0, 1, 2};
        T total = 0.0, sign = 1.0;
        for (int turn = 0; turn < 6; ++turn) {
            T product = sign;
            @up(r, 0, 3) { product *= 0.5 + V[(r + 2 * p[r]) % K] * (1.0 + 0.1 * r); }
            total += product;
            int a = turn % 2 == 0 ? 1 : 0;
            int h = p[a]; p[a] = p[a + 1]; p[a + 1] = h;
            sign = -sign;
        }
        ACC += 0.2 * total;
    """,
}
