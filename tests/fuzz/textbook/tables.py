"""Dynamic programming: tables filled in an order, read back in another."""

ALGORITHMS = {
    "common subsequence": """
        T best[K + 1][K + 1];
        @up(a, 0, K + 1) { @up(b, 0, K + 1) { best[a][b] = 0.0; } }
        @up(a, 1, N + 1) {
            @up(b, 1, N + 1) {
                @if((Q + a) % 3 == b % 3) { best[a][b] = best[a - 1][b - 1] + 0.2 + V[a - 1] * V[a - 1]; }
                @else { best[a][b] = @max(best[a - 1][b], best[a][b - 1]); }
            }
        }
        ACC += 0.5 * best[N][N];
    """,
    "edit distance": """
        T row[K + 1];
        @up(j, 0, N + 1) { row[j] = 0.41 * j; }
        @up(a, 1, N + 1) {
            T corner = row[0];
            row[0] = 0.37 * a;
            @up(b, 1, N + 1) {
                T change = corner + fabsf(V[a - 1] - V[(b + 1) % K]);
                corner = row[b];
                row[b] = fminf(change, @min(row[b] + 0.37, row[b - 1] + 0.41 * A));
            }
        }
        ACC += row[N];
    """,
    "knapsack": """
        T worth[8];
        @up(c, 0, 8) { worth[c] = 0.0; }
        @up(j, 0, N) {
            int weight = 1 + (Q + 2 * j) % 3;
            @downi(c, 8, weight) {
                T taken = worth[c - weight] + fabsf(V[j]);
                if (taken > worth[c]) worth[c] = taken;
            }
        }
        ACC += 0.3 * worth[7];
    """,
    "ways to pay": """
        T ways[10];
        @up(s, 0, 10) { ways[s] = s == 0 ? 1.0 : 0.0; }
        for (int coin = 1; coin <= 3; coin++) {
            @up(s, coin, 10) { ways[s] += 0.5 * V[coin - 1] * ways[s - coin]; }
        }
        ACC += 0.1 * ways[9] + 0.1 * ways[Q % 10];
    """,
    "chain of matrices": """
        T cost[K][K];
        @up(a, 0, K) { @up(b, 0, K) { cost[a][b] = 0.0; } }
        for (int length = 2; length <= N; ++length) {
            @upi(a, 0, N - length + 1) {
                int b = a + length - 1;
                cost[a][b] = 1000.0;
                @upi(s, a, b) {
                    T total = cost[a][s] + cost[s + 1][b] + 0.3 * (1.1 + V[a]) * (1.2 + V[s]) * (1.3 + V[b]);
                    cost[a][b] = @min(cost[a][b], total);
                }
            }
        }
        ACC += 0.3 * cost[0][N - 1];
    """,
    "Pascal's triangle": """
        T line[K + 1];
        line[0] = 1.0;
        @up(a, 1, N) {
            line[a] = 1.0;
            @down(b, a, 1) { line[b] += 0.5 * V[a] * line[b - 1]; }
        }
        @up(b, 0, N) { ACC += 0.1 * line[b]; }
    """,
    "cheapest way through a grid": """
        T cost[3][K];
        @up(a, 0, 3) {
            @up(b, 0, K) {
                T here = V[b] * V[b] + 0.1 * a * V[(b + a) % K];
                if (a == 0 && b == 0) cost[a][b] = here;
                else if (a == 0) cost[a][b] = cost[a][b - 1] + here;
                else if (b == 0) cost[a][b] = cost[a - 1][b] + here;
                else cost[a][b] = @min(cost[a - 1][b], cost[a][b - 1]) + here;
            }
        }
        int a = 2, b = K - 1;
        @while(a > 0 && b > 0; ) {
            ACC += 0.1 * cost[a][b];
            if (cost[a - 1][b] < cost[a][b - 1]) --a; else --b;
        }
    """,
    "longest rising subsequence": """
        int length[K], before[K];
        int best = 0;
        @upi(a, 0, N) {
            length[a] = 1;
            before[a] = -1;
            @upi(b, 0, a) {
                if (V[b] < V[a] && length[b] + 1 > length[a]) { length[a] = length[b] + 1; before[a] = b; }
            }
            if (length[a] > length[best]) best = a;
        }
        for (int at = best; at [[>= 0 ~ != -1]]; at = before[at]) ACC += V[at] * 0.5;
    """,
    "rod cut in parts": """
        T value[K + 1];
        value[0] = 0.0;
        @upi(l, 1, N + 1) {
            value[l] = -10.0;
            @upi(c, 1, l + 1) { value[l] = @max(value[l], value[l - c] + V[c - 1] * 0.5); }
        }
        ACC += value[N];
    """,
    "Viterbi": """
        T score[2] = {0.1, 0.2};
        [[int ~ unsigned char ~ bool]] from[K][2];
        @up(j, 0, N) {
            T next[2];
            @upi(s, 0, 2) {
                T stay = score[s] + 0.3, move = score[1 - s] + 0.1 * A;
                from[j][s] = stay > move ? s : 1 - s;
                next[s] = (stay > move ? stay : move) + (s == 0 ? V[j] : -0.7 * V[j]);
            }
            score[0] = next[0];
            score[1] = next[1];
        }
        int s = score[0] > score[1] ? 0 : 1;
        ACC += score[s];
        @down(j, N, 0) { ACC += s == 0 ? 0.1 * V[j] : 0.3 * V[j] * V[j]; s = from[j][s]; }
    """,
    "forward sums of states": """
        T p0 = 0.6, p1 = 0.4;
        @up(j, 0, N) {
            T e = expf(0.3 * V[j]);
            T n0 = (0.7 * p0 + 0.4 * p1) * e;
            T n1 = (0.3 * p0 + 0.6 * p1) / e;
            T sum = n0 + n1;
            p0 = n0 / sum;
            p1 = n1 / sum;
            ACC += logf(sum);
        }
    """,
    "time warping": """
        T far[K][K];
        @upi(a, 0, N) {
            @upi(b, 0, N) {
                T d = (V[a] - 0.8 * V[K - 1 - b]) * (V[a] - 0.8 * V[K - 1 - b]);
                T least = 0.0;
                if (a > 0 && b > 0) least = fminf(far[a - 1][b - 1], fminf(far[a - 1][b], far[a][b - 1]));
                else if (a > 0) least = far[a - 1][b];
                else if (b > 0) least = far[a][b - 1];
                far[a][b] = d + least;
            }
        }
        ACC += 0.3 * far[N - 1][N - 1];
    """,
    "optimal tree of searches": """
        T cost[K + 1][K + 1];
        @up(a, 0, K + 1) { @up(b, 0, K + 1) { cost[a][b] = 0.0; } }
        @downi(a, N, 0) {
            T weight = 0.0;
            @upi(b, a, N) {
                weight += 0.2 + V[b] * V[b];
                T best = 1000.0;
                @upi(root, a, b + 1) { best = @min(best, cost[a][root] + cost[root + 1][b + 1]); }
                cost[a][b + 1] = best + weight;
            }
        }
        ACC += 0.1 * cost[0][N];
    """,
    "steps remembered": """
        T memo[K + 2];
        bool known[K + 2];
        @up(j, 0, K + 2) { known[j] = false; }
        memo[0] = 0.5; known[0] = true;
        memo[1] = A; known[1] = true;
        int wanted = N;
        while (!known[wanted]) {
            int at = wanted;
            @while(!known[at - 1] || !known[at - 2]; --at) { }
            memo[at] = sinf(memo[at - 1]) + 0.3 * memo[at - 2] * V[at % K];
            known[at] = true;
        }
        ACC += memo[wanted];
    """,
    "two rows that change places": """
        T rows[2][K];
        int now = 0;
        @up(j, 0, K) { rows[0][j] = V[j]; }
        @up(turn, 0, 3) {
            @upi(j, 0, K) {
                rows[1 - now][j] = 0.5 * rows[now][j] + 0.4 * sinf(rows[now][j > 0 ? j - 1 : K - 1]);
            }
            now [[= 1 - now ~ ^= 1]];
        }
        @up(j, 0, K) { V[j] = rows[now][j]; }
    """,
}
