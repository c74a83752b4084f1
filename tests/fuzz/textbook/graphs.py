"""Lists, graphs and hash tables by index."""

ALGORITHMS = {
    "list followed": """
        int next[K];
        @up(j, 0, K) { next[j] = (j + 1 + Q % 2) % K; }
        int at = Q % K;
        @up(step, 0, N) { ACC = 0.7 * ACC + V[at]; at = next[at]; }
    """,
    "list turned round": """
        int next[K];
        @upi(j, 0, K) { next[j] = j + 1 < N ? j + 1 : -1; }
        int head = 0, before = -1;
        @while(head [[>= 0 ~ != -1]]; ) {
            int after = next[head];
            next[head] = before;
            before = head;
            head = after;
        }
        T factor = 1.0;
        for (int at = before; at >= 0; at = next[at]) { ACC += factor * V[at]; factor *= 0.6; }
    """,
    "list sorted by links": """
        int next[K], head = -1;
        @upi(j, 0, N) {
            int before = -1, at = head;
            @while(at >= 0 && V[at] < V[j]; ) { before = at; at = next[at]; }
            next[j] = at;
            if (before < 0) head = j; else next[before] = j;
        }
        T factor = 0.9;
        @while(head != -1; head = next[head]) { ACC += factor * V[head]; factor *= 0.7; }
    """,
    "tortoise and hare": """
        int slow = Q % K, fast = Q % K;
        do {
            slow = (slow * slow + 1) % K;
            fast = (fast * fast + 1) % K;
            fast = (fast * fast + 1) % K;
            ACC += 0.2 * V[slow] * V[fast];
        } while (slow != fast);
    """,
    "pointer jumping": """
        int to[K];
        T sum[K];
        @upi(j, 0, K) { to[j] = j > 0 ? j - 1 : 0; sum[j] = j > 0 ? V[j] : 0.0; }
        @up(turn, 0, 3) {
            @downi(j, K, 0) { sum[j] += 0.9 * sum[to[j]]; to[j] = to[to[j]]; }
        }
        @up(j, 0, K) { V[j] = 0.3 * sum[j]; }
    """,
    "breadth first on a ring": """
        int far[K], queue[K], head = 0, tail = 0;
        @up(j, 0, K) { far[j] = -1; }
        far[Q % K] = 0;
        queue[tail++] = Q % K;
        @while(head != tail; ) {
            int at = queue[head++];
            @upi(side, 0, 2) {
                int other = (at + (side == 0 ? 1 : K - 1)) % K;
                if (far[other] >= 0) continue;
                far[other] = far[at] + 1;
                queue[tail++] = other;
                V[other] = 0.7 * V[other] + 0.3 * V[at];
            }
        }
    """,
    "flood by a stack": """
        bool seen[K];
        @up(j, 0, K) { seen[j] = false; }
        int stack[2 * K + 1], top = 0;
        stack[top++] = Q % N;
        @while(top > 0; ) {
            int at = stack[--top];
            if (at < 0 || at >= N || seen[at]) continue;
            seen[at] = true;
            if (V[at] < -0.5) continue;
            ACC += V[at] * V[at];
            stack[top++] = at - 1;
            stack[top++] = at + 1;
        }
    """,
    "Dijkstra": """
        T far[K];
        bool done[K];
        @up(j, 0, K) { far[j] = j == 0 ? 0.1 : 90.0; done[j] = false; }
        @up(turn, 0, K) {
            int best = -1;
            @upi(j, 0, K) { if (!done[j] && (best < 0 || far[j] < far[best])) best = j; }
            done[best] = true;
            @upi(j, 0, K) {
                T edge = 0.2 + fabsf(V[best] - 0.7 * V[j]) + 0.1 * ((best * 3 + j) % 4);
                @if(far[best] + edge < far[j]) { far[j] = far[best] + edge; }
            }
        }
        @up(j, 0, K) { ACC += 0.2 * far[j] * (1.0 + 0.1 * j); }
    """,
    "Bellman and Ford": """
        T far[K];
        @up(j, 0, K) { far[j] = j == Q % K ? 0.0 : 50.0; }
        bool better = true;
        for (int turn = 0; turn < K && better; ++turn) {
            better = false;
            @up(e, 0, 2 * K) {
                int a = e % K, b = (3 * e + 1) % K;
                T through = far[a] + 0.3 + V[a] * V[a];
                if (through < far[b]) { far[b] = through; better = true; }
            }
        }
        @up(j, 0, K) { if (far[j] < 40.0) ACC += 0.2 * far[j]; }
    """,
    "Floyd and Warshall": """
        T far[K][K];
        @up(a, 0, K) { @up(b, 0, K) {
            far[a][b] = 0.2 + V[a] * V[a] + 0.31 * V[b] * V[b] + 0.1 * ((a + 2 * b) % 3);
        } }
        @up(m, 0, K) { @up(a, 0, K) { @up(b, 0, K) {
            far[a][b] = @min(far[a][b], far[a][m] + far[m][b] * 0.5);
        } } }
        ACC += far[0][K - 1] + 0.3 * far[Q % K][0];
    """,
    "least spanning tree": """
        T near[K];
        int from[K];
        bool in[K];
        @up(j, 0, K) { near[j] = 99.0; from[j] = -1; in[j] = false; }
        near[0] = 0.0;
        @up(turn, 0, K) {
            int least = -1;
            @upi(j, 0, K) { if (!in[j] && (least == -1 || near[j] < near[least])) { least = j; } }
            in[least] = true;
            if (from[least] >= 0) ACC += 0.3 * near[least] + 0.1 * V[from[least]];
            @upi(j, 0, K) {
                T d = (V[least] - V[j]) * (V[least] - V[j]) + 0.05 * (least + j);
                if (!in[j] && d < near[j]) { near[j] = d; from[j] = least; }
            }
        }
    """,
    "order of a graph": """
        int needs[K], queue[K], head = 0, tail = 0;
        @upi(j, 0, K) { needs[j] = j == 0 ? 0 : j >= 2 && ((Q >> j) & 1) ? 2 : 1; }
        @upi(j, 0, K) { if (needs[j] == 0) queue[tail++] = j; }
        @while(head < tail; ) {
            int at = queue[head++];
            V[at] = tanhf(V[at] + 0.2 * head * A);
            for (int step = 1; step <= 2; ++step) {
                int to = at + step;
                if (to >= K || (step == 2 && !((Q >> to) & 1))) continue;
                V[to] += 0.4 * V[at];
                if (--needs[to] == 0) queue[tail++] = to;
            }
        }
    """,
    "rows of a sparse matrix": """
        int start[K + 1], column[2 * K];
        start[0] = 0;
        @upi(j, 0, K) {
            start[j + 1] = start[j] + 1 + ((Q >> j) & 1);
            @upi(e, start[j], start[j + 1]) { column[e] = (2 * j + 3 * (e - start[j])) % K; }
        }
        T out[K];
        @upi(j, 0, K) {
            out[j] = 0.0;
            @upi(e, start[j], start[j + 1]) { out[j] += (0.3 + 0.1 * e) * V[column[e]]; }
        }
        @up(j, 0, K) { V[j] = out[j]; }
    """,
    "rank by links": """
        T rank[K], next[K];
        @up(j, 0, K) { rank[j] = 0.2 + 0.1 * V[j]; }
        @up(turn, 0, 3) {
            @up(j, 0, K) { next[j] = 0.1 * V[j]; }
            @up(j, 0, K) { next[(2 * j + Q) % K] += 0.5 * rank[j]; next[(j + 1) % K] += 0.3 * rank[j]; }
            @up(j, 0, K) { rank[j] = next[j]; }
        }
        @up(j, 0, K) { ACC += rank[j] * (0.4 + 0.1 * j); }
    """,
    "hashing with probes": """
        int table[8];
        T value[8];
        @up(j, 0, 8) { table[j] = -1; value[j] = 0.0; }
        @upi(j, 0, N) {
            int key = (Q + 11 * j) % 13;
            int at = (key * 5) & 7;
            @while(table[at] != -1 && table[at] != key; at = (at + 1) & 7) { }
            table[at] = key;
            value[at] += V[j] * (1.0 + 0.1 * j);
        }
        @up(j, 0, 8) { if (table[j] >= 0) ACC += value[j] * value[j] * 0.2; }
    """,
    "hashing with second steps": """
        int owner[11];
        @up(j, 0, 11) { owner[j] = -1; }
        @upi(j, 0, N) {
            int at = (Q * 3 + j) % 11, by = 1 + (Q + j) % 5;
            int probes = 0;
            @while(owner[at] >= 0; ) { at = (at + by) % 11; ++probes; }
            owner[at] = j;
            V[j] *= 1.0 + 0.1 * probes;
        }
        @down(j, 11, 0) { if (owner[j] < 0) continue; ACC = 0.8 * ACC + 0.3 * V[owner[j]]; }
    """,
    "buckets chained": """
        int head[4], next[K];
        @up(b, 0, 4) { head[b] = -1; }
        @upi(j, 0, N) {
            int b = ((int)(10.0 * (V[j] + 9.0))) & 3;
            next[j] = head[b];
            head[b] = j;
        }
        @up(b, 0, 4) {
            T product = 1.0;
            for (int at = head[b]; at != -1; at = next[at]) product *= 0.5 + 0.3 * V[at];
            ACC += product;
        }
    """,
    "walk on a line": """
        int at = Q % N;
        unsigned dice = Q;
        @up(step, 0, 6) {
            dice = dice * 1664525u + 1013904223u;
            @if(dice >> 31) { if (at + 1 < N) ++at; } @else { if (at > 0) --at; }
            ACC = ACC * 0.8 + V[at] * A;
            if (V[at] > 1.4) break;
        }
    """,
}
