"""Searches, in sorted and in other data."""

ALGORITHMS = {
    "first above a bound": """
        @up(j, 0, N) { if (V[j] > 0.4 * A) { return V[j] * (1.0 + 0.1 * j); } }
        return ACC;
    """,
    "last below a bound": """
        @down(j, N, 0) {
            if (V[j] >= 0.0) continue;
            return sinf(V[j]) * A;
        }
        return 0.3 * V[0];
    """,
    "largest and where": """
        int best = 0;
        @up(j, 1, N) { @if(V[j] > V[best]) { best = j; } }
        ACC += V[best] * (1.0 + 0.3 * best);
    """,
    "least and largest in pairs": """
        T lo = V[0], hi = V[0];
        for (int j = N % 2; j + 1 < N; j += 2) {
            T less = V[j], more = V[j + 1];
            if (less > more) { @swap(less, more) }
            lo = @min(lo, less);
            hi = @max(hi, more);
        }
        ACC += hi * hi - 0.5 * lo;
    """,
    "second largest": """
        T first = -9.0, second = -9.0;
        @up(j, 0, N) {
            @if(V[j] > first) { second = first; first = V[j]; }
            @else { if (V[j] > second) second = V[j]; }
        }
        ACC += first * second;
    """,
    "binary search": """
        T sum = 0.0;
        T rising[K];
        @up(j, 0, K) { sum += 0.1 + V[j] * V[j]; rising[j] = sum; }
        T target = 0.6 * sum;
        int lo = 0, hi = K;
        @while(lo < hi; ) {
            int mid = [[(lo + hi) / 2 ~ (lo + hi) >> 1 ~ lo + (hi - lo) / 2]];
            @if(rising[mid] < target) { lo = mid + 1; } @else { hi = mid; }
        }
        ACC += rising[lo] * 0.5 + 0.2 * target;
    """,
    "lower bound by halving": """
        T rising[K];
        rising[0] = V[0];
        @up(j, 1, N) { rising[j] = rising[j - 1] + 0.05 + fabsf(V[j]); }
        T target = rising[0] + 0.4 * (rising[N - 1] - rising[0]);
        int first = 0, count = N;
        @while(count > 0; ) {
            int half = count / 2;
            if (rising[first + half] < target) { first += half + 1; count -= half + 1; }
            else count = half;
        }
        ACC += rising[first] - target;
    """,
    "galloping search": """
        T rising[K];
        T sum = 0.0;
        @up(j, 0, K) { sum += expf(0.3 * V[j]); rising[j] = sum; }
        const T target = 0.7 * sum;
        int bound = 1;
        @while(bound < K && rising[bound] < target; bound *= 2) { }
        int lo = bound / 2;
        @while(lo < K - 1 && rising[lo] < target; ++lo) { }
        ACC += 0.3 * rising[lo];
    """,
    "jump search": """
        T rising[K];
        rising[0] = fabsf(V[0]) + 0.1;
        @up(j, 1, K) { rising[j] = rising[j - 1] + fabsf(V[j]) + 0.1; }
        T target = 0.5 * rising[K - 1];
        int at = 0;
        @while(at + 2 < K && rising[at + 2] <= target; at += 2) { ACC += 0.1 * rising[at]; }
        @while(rising[at] < target; at++) { }
        ACC += rising[at] * target;
    """,
    "quickselect": """
        int lo = 0, hi = N - 1;
        const int want = Q % N;
        @while(lo < hi; ) {
            T pivot = V[hi];
            int s = lo;
            @upi(j, lo, hi) { if (V[j] < pivot) { @swap(V[s], V[j]) s++; } }
            @swap(V[s], V[hi])
            if (s == want) break;
            @if(s < want) { lo = s + 1; } @else { hi = s - 1; }
        }
        ACC += V[want];
    """,
    "nearest neighbours in a list": """
        T far[3] = {50.0, 50.0, 50.0};
        int who[3] = {-1, -1, -1};
        @up(j, 0, N) {
            T d = V[j] - 0.3 * A;
            T d2 = d * d;
            if (d2 >= far[2]) continue;
            int p = 2;
            @while(p > 0 && far[p - 1] > d2; --p) { far[p] = far[p - 1]; who[p] = who[p - 1]; }
            far[p] = d2;
            who[p] = j;
        }
        @up(k, 0, 3) { if (who[k] >= 0) ACC += expf(-far[k]) * V[who[k]]; }
    """,
    "closest pair": """
        T best = 100.0;
        int one = 0, other = 1;
        @up(a, 0, N) {
            @up(b, a + 1, N) {
                T d = fabsf(V[a] - V[b]);
                @if(d < best) { best = d; one = a; other = b; }
            }
        }
        ACC += V[one] * V[other] + 0.3 * best;
    """,
    "peak by halving": """
        int lo = 0, hi = N - 1;
        @while(lo < hi; ) {
            int mid = (lo + hi) / 2;
            if (V[mid] < V[mid + 1]) lo = mid + 1; else hi = mid;
        }
        V[lo] *= 1.0 + 0.2 * A;
    """,
    "search with a sentinel": """
        T last = V[N - 1];
        V[N - 1] = 5.0;
        int j = 0;
        @while(V[j] < 0.5; ++j) { }
        V[N - 1] = last;
        ACC += (0.5 + 0.25 * j) * V[j];
    """,
    "majority vote": """
        int held = 0, votes = 0;
        @up(j, 0, N) {
            int kind = V[j] > 0.0 ? 1 : 0;
            if (votes == 0) held = kind;
            votes += kind == held ? 1 : -1;
        }
        @up(j, 0, N) { if ((V[j] > 0.0) == (held == 1)) ACC += V[j] * V[j] * 0.5; }
    """,
    "ternary search": """
        T lo = -2.0, hi = 2.0;
        @up(step, 0, 6) {
            T a = lo + (hi - lo) / 3.0, b = hi - (hi - lo) / 3.0;
            T fa = (a - V[0]) * (a - V[0]), fb = (b - V[0]) * (b - V[0]);
            @if(fa < fb) { hi = b; } @else { lo = a; }
        }
        ACC += V[1] * (lo + hi) * 0.5 + V[0] * lo;
    """,
    "stable matching of ends": """
        int l = 0, r = N - 1, turns = 0;
        @while(l <= r; turns++) {
            if (fabsf(V[l]) < fabsf(V[r])) { ACC += V[l] * (1.0 + 0.1 * turns); l++; }
            else { ACC -= 0.5 * V[r] * (1.0 + 0.2 * turns); r--; }
        }
    """,
}
