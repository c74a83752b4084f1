"""Scans, runs, windows, stacks and queues over a sequence."""

ALGORITHMS = {
    "prefix sums": """
        @up(j, 1, N) { V[j] += 0.6 * V[j - 1]; }
    """,
    "suffix sums": """
        @down(j, N - 1, 0) { V[j] = V[j] + 0.6 * V[j + 1]; }
    """,
    "prefix maxima": """
        T most = V[0];
        @up(j, 1, N) { most = @max(most, V[j]); ACC += most * (0.1 + 0.1 * j); }
    """,
    "range sums from prefixes": """
        T before[K + 1];
        before[0] = 0.0;
        @up(j, 0, N) { before[j + 1] = before[j] + V[j] * V[j]; }
        @up(j, 0, N) {
            int lo = (int)j > 1 ? j - 1 : 0, hi = min((int)j + 2, N);
            V[j] = 0.5 * (before[hi] - before[lo]);
        }
    """,
    "reverse": """
        int l = 0, r = N - 1;
        @while(l < r; ) { @swap(V[l], V[r]) ++l; --r; }
    """,
    "rotate": """
        int by = Q % N;
        @up(step, 0, by) {
            T first = V[0];
            @up(j, 1, N) { V[j - 1] = V[j]; }
            V[N - 1] = first;
        }
    """,
    "rotate by three reversals": """
        const int by = Q % N;
        for (int l = 0, r = by - 1; l < r; l++, r--) { @swap(V[l], V[r]) }
        for (int l = by, r = N - 1; l < r; l++, r--) { @swap(V[l], V[r]) }
        for (int l = 0, r = N - 1; l < r; ++l, --r) { @swap(V[l], V[r]) }
    """,
    "runs of a sign": """
        int j = 0;
        @while(j < N; ) {
            int start = j;
            T sum = 0.0;
            @while(j < N && (V[j] > 0.0) == (V[start] > 0.0); j++) { sum += V[j] * V[j]; }
            ACC += sum * (0.3 + 0.1 * (j - start));
        }
    """,
    "run lengths packed": """
        int runs = 0;
        [[int ~ unsigned char ~ short]] length[K];
        T head[K];
        @up(j, 0, N) {
            if (runs > 0 && ((Q >> j) & 1) == ((Q >> (j - 1)) & 1)) {
                length[runs - 1]++;
                head[runs - 1] += V[j];
            }
            else { length[runs] = 1; head[runs++] = V[j]; }
        }
        @up(k, 0, runs) { ACC += head[k] * head[k] * length[k] * 0.2; }
    """,
    "two pointers to a sum": """
        int l = 0, r = N - 1;
        @while(l < r; ) {
            T both = V[l] + V[r];
            ACC += 0.2 * both * both;
            if (both < 0.5 * A) l++; else r--;
        }
    """,
    "moving sum in a ring": """
        T ring[3] = {0.0, 0.0, 0.0};
        T sum = 0.0;
        int at = 0;
        @up(j, 0, N) {
            sum -= ring[at];
            ring[at] = V[j];
            sum += ring[at];
            at = [[(at + 1) % 3 ~ at == 2 ? 0 : at + 1]];
            V[j] = 0.4 * sum;
        }
    """,
    "queue in a ring": """
        T ring[4];
        unsigned head = 0, tail = 0;
        @up(j, 0, N) {
            ring[tail++ & 3] = V[j] * V[j];
            if (tail - head == 3 || V[j] > 0.8) { ACC += 0.3 * ring[head & 3]; head++; }
        }
        @while(head != tail; ++head) { ACC += 0.1 * ring[head % 4] * A; }
    """,
    "window maxima by a deque": """
        int deque[K], front = 0, back = 0;
        @upi(j, 0, N) {
            @while(back > front && V[deque[back - 1]] <= V[j]; --back) { }
            deque[back++] = j;
            if (deque[front] + 2 < j) front++;
            ACC += V[deque[front]] * (0.2 + 0.1 * j);
        }
    """,
    "best stretch of Kadane": """
        T here = V[0], best = V[0];
        @up(j, 1, N) {
            here = here > 0.0 ? here + V[j] : V[j];
            best = @max(best, here);
        }
        ACC += best * best;
    """,
    "compaction in place": """
        int kept = 0;
        @up(j, 0, N) {
            @if(V[j] > -0.2) { V[kept++] = V[j] * (1.0 + 0.1 * j); }
        }
        @upi(j, kept, N) { V[j] = 0.3 * A; }
    """,
    "next larger by a stack": """
        int stack[K], top = 0;
        @up(j, 0, N) {
            @while(top > 0 && V[stack[top - 1]] < V[j]; ) {
                ACC += 0.3 * V[j] * V[stack[--top]];
            }
            stack[top++] = j;
        }
        @while(top > 0; top--) { ACC += 0.1 * V[stack[top - 1]]; }
    """,
    "expression by a stack": """
        T stack[K + 1];
        int top = 0;
        @up(j, 0, N) {
            stack[top++] = V[j];
            if (top < 2) continue;
            switch ((Q + j) % 4) {
            case 0: stack[top - 2] += stack[top - 1]; --top; break;
            case 1: stack[top - 2] *= 0.7 * stack[top - 1]; --top; break;
            case 2: stack[top - 1] = sinf(stack[top - 1]);
            default: break;
            }
        }
        @while(top > 0; ) { ACC += stack[--top] * 0.5; }
    """,
    "machine of states": """
        int state = Q % 3;
        T value = 0.4;
        @up(j, 0, N) {
            switch (state) {
            case 0:
                value += V[j];
                state = V[j] > 0.2 ? 1 : 2;
                break;
            case 1:
                value *= 1.0 + 0.3 * V[j];
                if (V[j] < 0.0) state = 0;
                break;
            default:
                value = sinf(value) + 0.1 * V[j];
                state = [[(state + 1) % 3 ~ 0]];
            }
        }
        ACC += value;
    """,
    "smoothing both ways": """
        @up(j, 1, N) { V[j] = 0.7 * V[j] + 0.3 * V[j - 1]; }
        @down(j, N - 1, 0) { V[j] = 0.6 * V[j] + 0.4 * V[j + 1]; }
    """,
    "convolution": """
        T out[K];
        @upi(j, 0, N) {
            out[j] = 0.0;
            @upi(o, -1, 2) {
                int at = j + o;
                if (at < 0 || at >= N) continue;
                out[j] += V[at] * (0.5 - 0.2 * o);
            }
        }
        @up(j, 0, N) { V[j] = out[j]; }
    """,
    "autocorrelation": """
        @up(lag, 0, N) {
            T sum = 0.0;
            @up(j, lag, N) { sum += V[j] * V[j - lag]; }
            ACC += sum * (0.4 - 0.05 * lag);
        }
    """,
    "medians of three": """
        T before = V[0];
        @up(j, 1, N - 1) {
            T a = before, b = V[j], c = V[j + 1];
            before = b;
            if (a > b) { @swap(a, b) }
            if (b > c) { @swap(b, c) }
            if (a > b) { @swap(a, b) }
            V[j] = b;
        }
    """,
    "longest rising run": """
        int best = 1, run = 1, end = 0;
        @up(j, 1, N) {
            run = V[j] > V[j - 1] ? run + 1 : 1;
            if (run > best) { best = run; end = j; }
        }
        @upi(j, end - best + 1, end + 1) { ACC += V[j] * 0.5; }
    """,
    "water between walls": """
        int l = 0, r = N - 1;
        T left = V[l], right = V[r];
        @while(l < r; ) {
            if (left < right) { ++l; left = @max(left, V[l]); ACC += 0.4 * (left - V[l]); }
            else { --r; right = @max(right, V[r]); ACC += 0.3 * (right - V[r]); }
        }
    """,
    "evens before odds": """
        T out[K];
        [[int ~ unsigned ~ unsigned char]] o = 0;
        for (int side = 0; side <= 1; ++side) {
            for (int j = side; j < N; j += 2) out[o++] = V[j];
        }
        @up(j, 0, N) { V[j] = out[j] * (0.5 + 0.1 * j); }
    """,
    "sums by halving": """
        int width = N;
        @while(width > 1; ) {
            int half = (width + 1) / 2;
            @upi(j, 0, width / 2) { V[j] += 0.5 * V[j + half]; }
            width = half;
        }
        ACC += V[0];
    """,
    "differences taken and summed": """
        @down(j, N, 1) { V[j] -= V[j - 1]; }
        @up(j, 1, N) { V[j] *= 1.0 + 0.1 * A; }
        @up(j, 1, N) { V[j] += V[j - 1]; }
    """,
    "zigzag": """
        @up(j, 0, N - 1) {
            if ((j % 2 == 0) == (V[j] > V[j + 1])) { @swap(V[j], V[j + 1]) }
        }
    """,
}
