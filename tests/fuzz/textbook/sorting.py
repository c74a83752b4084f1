"""Sorts and partitions."""

ALGORITHMS = {
    "insertion sort": """
        @up(a, 1, N) {
            T key = V[a];
            int b = a - 1;
            @while(b >= 0 && V[b] > key; b--) {
                V[b + 1] = V[b];
            }
            V[b + 1] = key;
        }
    """,
    "insertion sort by swaps": """
        @upi(a, 1, N) {
            int b = a;
            @while(b > 0 && V[b - 1] > V[b]; --b) { @swap(V[b - 1], V[b]) }
        }
    """,
    "insertion from the right": """
        @downi(a, N - 1, 0) {
            const T key = V[a];
            int b = a + 1;
            @while(b < N && V[b] < key; ++b) { V[b - 1] = V[b]; }
            V[b - 1] = key;
        }
    """,
    "bubble sort": """
        @upi(a, 0, N - 1) {
            @upi(b, 0, N - 1 - a) {
                @if(V[b] > V[b + 1]) { @swap(V[b], V[b + 1]) }
            }
        }
    """,
    "bubble sort that stops": """
        bool moved = true;
        [[while (moved) { ~ for (; moved;) {]]
            moved = false;
            @up(b, 1, N) {
                if (V[b - 1] > V[b]) { @swap(V[b - 1], V[b]) moved = true; }
            }
        }
    """,
    "bubble sort to the last swap": """
        int end = N;
        do {
            int last = 0;
            @upi(b, 1, end) { if (V[b - 1] > V[b]) { @swap(V[b - 1], V[b]) last = b; } }
            end = last;
        } while (end > 1);
    """,
    "selection sort": """
        @up(a, 0, N - 1) {
            int least = a;
            @up(b, a + 1, N) { @if(V[b] < V[least]) { least = b; } }
            [[if (least != a) { ~ {]] @swap(V[a], V[least]) }
        }
    """,
    "cocktail sort": """
        int lo = 0, hi = N - 1;
        @while(lo < hi; ) {
            @upi(b, lo, hi) { if (V[b] > V[b + 1]) { @swap(V[b], V[b + 1]) } }
            --hi;
            @downi(b, hi, lo) { if (V[b] > V[b + 1]) { @swap(V[b], V[b + 1]) } }
            ++lo;
        }
    """,
    "shell sort": """
        for (int gap = N / 2; gap > 0; gap /= 2) {
            @upi(a, gap, N) {
                T key = V[a];
                int b = a;
                @while(b >= gap && V[b - gap] > key; b -= gap) { V[b] = V[b - gap]; }
                V[b] = key;
            }
        }
    """,
    "comb sort": """
        int gap = N;
        bool moved = true;
        @while(gap > 1 || moved; ) {
            gap = gap * 10 / 13;
            if (gap < 1) gap = 1;
            moved = false;
            @upi(b, 0, N - gap) {
                if (V[b] > V[b + gap]) { @swap(V[b], V[b + gap]) moved = true; }
            }
        }
    """,
    "gnome sort": """
        int p = 0;
        @while(p < N; ) {
            @if(p == 0 || V[p - 1] <= V[p]) { p++; }
            @else { @swap(V[p - 1], V[p]) p--; }
        }
    """,
    "odd and even sort": """
        @up(phase, 0, N) {
            for (int b = 1 + phase % 2; b < N; b += 2) {
                @if(V[b - 1] > V[b]) { @swap(V[b - 1], V[b]) }
            }
        }
    """,
    "merge sort upwards": """
        T other[K];
        for (int width = 1; width < N; width [[*= 2 ~ <<= 1 ~ += width]]) {
            for (int lo = 0; lo < N; lo += 2 * width) {
                int mid = min(lo + width, N), hi = min(lo + 2 * width, N);
                int l = lo, r = mid;
                @up(o, lo, hi) {
                    @if(l < mid && (r >= hi || V[l] <= V[r])) { other[o] = V[l++]; }
                    @else { other[o] = V[r++]; }
                }
            }
            @up(o, 0, N) { V[o] = other[o]; }
        }
    """,
    "merge of two halves": """
        T out[K];
        int l = 0, r = N / 2, o = 0;
        @while(l < N / 2 && r < N; ) {
            out[o++] = V[l] < V[r] ? V[l++] : V[r++];
        }
        @while(l < N / 2; ) { out[o++] = V[l++]; }
        @while(r < N; ) { out[o++] = V[r++]; }
        @up(k, 0, N) { V[k] = out[k]; }
    """,
    "heap sort": """
        @downi(root, N / 2, 0) {
            int p = root;
            @while(2 * p + 1 < N; ) {
                int c = 2 * p + 1;
                if (c + 1 < N && V[c + 1] > V[c]) c++;
                if (V[p] >= V[c]) break;
                @swap(V[p], V[c])
                p = c;
            }
        }
        @downi(end, N, 1) {
            @swap(V[0], V[end])
            int p = 0;
            @while(2 * p + 1 < end; ) {
                int c = 2 * p + 1;
                if (c + 1 < end && V[c + 1] > V[c]) ++c;
                if (V[p] >= V[c]) break;
                @swap(V[p], V[c])
                p = c;
            }
        }
    """,
    "quick sort with a stack": """
        int stack[2 * K + 2], top = 0;
        stack[top++] = 0;
        stack[top++] = N - 1;
        @while(top > 0; ) {
            int hi = stack[--top], lo = stack[--top];
            if (lo >= hi) continue;
            T pivot = V[hi];
            int s = lo;
            @upi(j, lo, hi) { if (V[j] < pivot) { @swap(V[j], V[s]) ++s; } }
            @swap(V[s], V[hi])
            stack[top++] = lo; stack[top++] = s - 1;
            stack[top++] = s + 1; stack[top++] = hi;
        }
    """,
    "counting sort by keys": """
        int count[4] = {0, 0, 0, 0};
        T out[K];
        @up(j, 0, N) { count[(Q + 3 * j) & 3]++; }
        @up(b, 1, 4) { count[b] += count[b - 1]; }
        @down(j, N, 0) { out[--count[(Q + 3 * j) & 3]] = V[j] * (1.0 + 0.1 * j); }
        @up(j, 0, N) { V[j] = out[j]; }
    """,
    "radix sort by bits": """
        int key[K];
        T other[K];
        int other_key[K];
        @up(j, 0, N) { key[j] = (Q * 7 + 5 * j) % 16; }
        for (int bit = 0; bit < 4; ++bit) {
            int o = 0;
            for (int side = 0; side < 2; ++side) {
                @up(j, 0, N) {
                    if (((key[j] >> bit) & 1) != side) continue;
                    other[o] = V[j];
                    other_key[o++] = key[j];
                }
            }
            @up(j, 0, N) { V[j] = other[j]; key[j] = other_key[j]; }
        }
        ACC += V[0] * 0.3;
    """,
    "rank sort": """
        T out[K];
        @up(a, 0, N) {
            int rank = 0;
            @up(b, 0, N) { if (V[b] < V[a] || (V[b] == V[a] && b < a)) rank++; }
            out[rank] = V[a];
        }
        @up(a, 0, N) { V[a] = out[a]; }
    """,
    "pancake sort": """
        @downi(end, N + 1, 2) {
            int most = 0;
            @up(j, 1, end) { if (V[j] > V[most]) most = j; }
            for (int l = 0, r = most; l < r; ++l, --r) { @swap(V[l], V[r]) }
            for (int l = 0, r = end - 1; l < r; l++, r--) { @swap(V[l], V[r]) }
        }
    """,
    "cycle sort": """
        @upi(start, 0, N - 1) {
            T item = V[start];
            int p = start;
            @up(j, start + 1, N) { if (V[j] < item) p++; }
            if (p == start) continue;
            @swap(V[p], item)
            @while(p != start; ) {
                p = start;
                @up(j, start + 1, N) { if (V[j] < item) p++; }
                @swap(V[p], item)
            }
        }
    """,
    "partition of Lomuto": """
        T pivot = V[N - 1];
        int s = 0;
        @up(j, 0, N - 1) { @if(V[j] <= pivot) { @swap(V[s], V[j]) s++; } }
        @swap(V[s], V[N - 1])
        ACC += V[s] * (0.4 + 0.2 * s);
    """,
    "partition of Hoare": """
        const T pivot = V[0];
        int l = -1, r = N;
        while (true) {
            do { ++l; } while (V[l] < pivot);
            do { --r; } while (V[r] > pivot);
            if (l >= r) break;
            @swap(V[l], V[r])
        }
        ACC += 0.3 * (r + 1) * V[r];
    """,
    "three colours": """
        int lo = 0, mid = 0, hi = N - 1;
        @while(mid <= hi; ) {
            if (V[mid] < -0.3) { @swap(V[lo], V[mid]) lo++; mid++; }
            else if (V[mid] > 0.5 * A) { @swap(V[mid], V[hi]) hi--; }
            else mid++;
        }
        ACC += 0.2 * lo * V[0];
    """,
    "best three kept": """
        T best[3] = {-9.0, -9.0, -9.0};
        @up(j, 0, N) {
            int p = 2;
            if (V[j] <= best[p]) continue;
            @while(p > 0 && best[p - 1] < V[j]; --p) { best[p] = best[p - 1]; }
            best[p] = V[j];
        }
        ACC += 0.7 * best[0] + 0.3 * best[1];
    """,
}
