"""Trees and heaps in arrays."""

ALGORITHMS = {
    "sift down": """
        int p = Q % 2;
        @while(2 * p + 1 < N; ) {
            int c = 2 * p + 1;
            if (c + 1 < N && V[c + 1] < V[c]) c = c + 1;
            if (V[p] <= V[c]) break;
            @swap(V[p], V[c])
            p = c;
        }
        ACC += 0.3 * V[p];
    """,
    "sift up": """
        @up(j, 1, N) {
            int c = j;
            @while(c > 0 && V[(c - 1) / 2] > V[c]; c = (c - 1) / 2) { @swap(V[(c - 1) / 2], V[c]) }
        }
    """,
    "heap of the largest": """
        T heap[K];
        int size = 0;
        @up(j, 0, N) {
            int c = size++;
            heap[c] = V[j];
            @while(c > 0; ) {
                int p = (c - 1) >> 1;
                if (heap[p] >= heap[c]) break;
                @swap(heap[p], heap[c])
                c = p;
            }
        }
        T factor = 1.0;
        @while(size > 1; ) {
            ACC += factor * heap[0];
            factor *= 0.6;
            heap[0] = heap[--size];
            for (int p = 0, c = 1; c < size; p = c, c = 2 * p + 1) {
                if (c + 1 < size && heap[c + 1] > heap[c]) ++c;
                if (heap[p] >= heap[c]) break;
                @swap(heap[p], heap[c])
            }
        }
    """,
    "Fenwick tree": """
        T tree[K + 1];
        @up(j, 0, K + 1) { tree[j] = 0.0; }
        @upi(j, 0, N) {
            for (int at = j + 1; at <= K; at += at & -at) tree[at] += V[j];
        }
        @upi(j, 1, N + 1) {
            T sum = 0.0;
            [[for (int at = j; at > 0; at -= at & -at) { sum += tree[at]; }
            ~ int at = j; while (at != 0) { sum += tree[at]; at &= at - 1; }]]
            ACC += 0.2 * sum * sum;
        }
    """,
    "segment tree": """
        T node[2 * K];
        @up(j, 0, K) { node[K + j] = V[j]; }
        @down(j, K, 1) { node[j] = node[2 * j] + 0.7 * node[2 * j + 1]; }
        int l = K + Q % K, r = 2 * K;
        @while(l < r; ) {
            if (l & 1) ACC += node[l++];
            if (r & 1) ACC += 0.5 * node[--r];
            l /= 2;
            r /= 2;
        }
    """,
    "tournament": """
        int winner[2 * K];
        @up(j, 0, K) { winner[K + j] = j; }
        @down(j, K, 1) {
            int a = winner[2 * j], b = winner[2 * j + 1];
            winner[j] = V[a] > V[b] ? a : b;
        }
        ACC += V[winner[1]] * 0.7;
        int at = K + winner[1];
        @while(at > 1; at /= 2) { ACC += 0.1 * V[winner[at ^ 1]]; }
    """,
    "search tree filled": """
        int left[K], right[K];
        @up(j, 0, K) { left[j] = -1; right[j] = -1; }
        @upi(j, 1, N) {
            int at = 0;
            while (true) {
                @if(V[j] < V[at]) {
                    if (left[at] < 0) { left[at] = j; ACC += 0.1 * V[at]; goto_next = true; }
                    else at = left[at];
                } @else {
                    if (right[at] < 0) { right[at] = j; ACC += 0.2 * V[at] * V[at]; goto_next = true; }
                    else at = right[at];
                }
                if (goto_next) break;
            }
            goto_next = false;
        }
        int stack[K], top = 0, at = 0;
        T factor = 1.0;
        while (at >= 0 || top > 0) {
            @while(at >= 0; ) { stack[top++] = at; at = left[at]; }
            at = stack[--top];
            ACC += factor * V[at];
            factor *= 0.7;
            at = right[at];
        }
    """.replace("int left[K]", "bool goto_next = false;\n        int left[K]"),
    "tree walked by depth": """
        int stack[K + 2], top = 0;
        stack[top++] = 0;
        @while(top != 0; ) {
            int at = stack[--top];
            V[at] = sinf(V[at]) + (at > 0 ? 0.5 * V[(at - 1) / 2] : 0.1 * A);
            if (2 * at + 2 < N) stack[top++] = 2 * at + 2;
            if (2 * at + 1 < N) stack[top++] = 2 * at + 1;
        }
    """,
    "tree walked by breadth": """
        int queue[K], head = 0, tail = 0;
        queue[tail++] = 0;
        @while(head < tail; head++) {
            int at = queue[head];
            ACC += V[at] * (0.2 + 0.1 * head);
            for (int c = 2 * at + 1; c <= 2 * at + 2 && c < N; ++c) {
                V[c] += 0.3 * V[at];
                queue[tail++] = c;
            }
        }
    """,
    "two least joined": """
        T weight[K];
        @up(j, 0, K) { weight[j] = 0.3 + V[j] * V[j]; }
        for (int left = N; left > 1; --left) {
            @up(turn, 0, 2) {
                int least = turn;
                @upi(j, turn + 1, left) { if (weight[j] < weight[least]) least = j; }
                @swap(weight[turn], weight[least])
            }
            weight[0] += weight[1];
            ACC += 0.2 * weight[0];
            weight[1] = weight[left - 1];
        }
    """,
    "union and find": """
        int parent[K];
        @up(j, 0, K) { parent[j] = j; }
        @up(e, 0, N) {
            int a = (Q + 3 * e) % K, b = (Q / 3 + e) % K;
            @while(parent[a] != a; a = parent[a]) { }
            @while(parent[b] != b; b = parent[b]) { }
            if (a == b) continue;
            if (V[a] > V[b]) parent[b] = a; else parent[a] = b;
        }
        @upi(j, 0, K) {
            int root = j;
            @while(parent[root] != root; root = parent[root]) { }
            ACC += 0.2 * V[j] * V[root];
        }
    """,
    "paths halved": """
        int parent[K];
        @upi(j, 0, K) { parent[j] = j > 0 ? j - 1 : 0; }
        int at = Q % K;
        @while(parent[at] != at; ) {
            parent[at] = parent[parent[at]];
            ACC += 0.3 * V[at] * V[parent[at]];
            at = parent[at];
        }
    """,
    "depths in a forest": """
        [[int ~ unsigned char]] depth[K];
        @upi(j, 0, N) {
            depth[j] = 0;
            for (int at = j; at != 0; at = (at - 1) / 2) depth[j]++;
        }
        @up(j, 0, N) {
            T value = V[j];
            @up(d, 0, depth[j]) { value = 0.5 * value + 0.1 * V[d % N]; }
            V[j] = value;
        }
    """,
    "tree of differences": """
        int stack[K], top = 0;
        int parent[K];
        @upi(j, 0, N) {
            int last = -1;
            @while(top > 0 && V[stack[top - 1]] > V[j]; ) { last = stack[--top]; }
            if (last >= 0) parent[last] = j;
            parent[j] = top > 0 ? stack[top - 1] : -1;
            stack[top++] = j;
        }
        @up(j, 0, N) { if (parent[j] >= 0) ACC += 0.4 * (V[j] - V[parent[j]]) * V[j]; }
    """,
}
