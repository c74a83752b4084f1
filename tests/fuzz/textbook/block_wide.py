"""What the threads of a block do together: each gives its value `mine` and gets one back.

S is a shared array of B values that nobody uses before and after, B the size of the block (4 or 8),
t the thread's place in it, U an integer that is the same for all. Every thread takes part in every barrier.
"""

ALGORITHMS = {
    "inclusive scan": """
        S[t] = mine;
        __syncthreads();
        for (int d = 1; d < B; d [[*= 2 ~ <<= 1 ~ += d]]) {
            T before = t >= d ? S[t - d] : 0.0;
            __syncthreads();
            S[t] += 0.5 * before;
            __syncthreads();
        }
        mine = S[t];
    """,
    "scan up and down a tree": """
        S[t] = mine;
        int off = 1;
        for (int d = B / 2; d > 0; d [[/= 2 ~ >>= 1]]) {
            __syncthreads();
            if (t < d) S[off * (2 * t + 2) - 1] += 0.6 * S[off * (2 * t + 1) - 1];
            off *= 2;
        }
        __syncthreads();
        if (t == 0) S[B - 1] = 0.3;
        for (int d = 1; d < B; d *= 2) {
            off /= 2;
            __syncthreads();
            if (t < d) {
                T held = S[off * (2 * t + 1) - 1];
                S[off * (2 * t + 1) - 1] = S[off * (2 * t + 2) - 1];
                S[off * (2 * t + 2) - 1] += 0.7 * held;
            }
        }
        __syncthreads();
        mine = 0.5 * mine + S[t];
    """,
    "sum by halving": """
        S[t] = mine * mine;
        __syncthreads();
        for ([[int ~ unsigned]] d = B / 2; d [[> 0 ~ != 0 ~ >= 1]]; d [[/= 2 ~ >>= 1]]) {
            if (t < d) S[t] += S[t + d];
            __syncthreads();
        }
        mine += 0.2 * S[0];
    """,
    "sum by interleaved steps": """
        S[t] = sinf(mine);
        __syncthreads();
        for (int d = 1; d < B; d *= 2) {
            [[if (t % (2 * d) == 0) S[t] += S[t + d];
            ~ if (2 * d * t + d < B) S[2 * d * t] += S[2 * d * t + d];]]
            __syncthreads();
        }
        mine = mine * 0.5 + 0.3 * S[0] * S[0];
    """,
    "largest by halving": """
        S[t] = mine;
        __syncthreads();
        for (int d = B >> 1; d > 0; d >>= 1) {
            if (t < d) S[t] = @max(S[t], S[t + d]);
            __syncthreads();
        }
        mine = expf(mine - S[0]);
    """,
    "largest and where, by halving": """
        __shared__ int where_S[B];
        S[t] = mine;
        where_S[t] = t;
        __syncthreads();
        for (int d = B / 2; d >= 1; d /= 2) {
            if (t < d && S[t + d] > S[t]) { S[t] = S[t + d]; where_S[t] = where_S[t + d]; }
            __syncthreads();
        }
        if (t == where_S[0]) mine *= 1.5; else mine -= 0.3 * S[0];
    """,
    "softmax of a block": """
        S[t] = mine;
        __syncthreads();
        T most = S[0];
        @up(k, 1, B) { most = @max(most, S[k]); }
        T sum = 0.0;
        @up(k, 0, B) { sum += expf(S[k] - most); }
        mine = expf(mine - most) / sum;
    """,
    "odd and even sort of a block": """
        S[t] = mine;
        __syncthreads();
        @up(phase, 0, B) {
            if (t % 2 == (int)(phase % 2) && t + 1 < B) {
                if (S[t] > S[t + 1]) { @swap(S[t], S[t + 1]) }
            }
            __syncthreads();
        }
        mine = S[t] * (1.0 + 0.1 * t);
    """,
    "bitonic sort": """
        S[t] = mine;
        __syncthreads();
        for (int k = 2; k <= B; k *= 2) {
            for (int d = k / 2; d > 0; d /= 2) {
                int other = t ^ d;
                if (other > t) {
                    bool rising = (t & k) == 0;
                    if ((S[t] > S[other]) == rising) { @swap(S[t], S[other]) }
                }
                __syncthreads();
            }
        }
        mine = 0.3 * mine + S[t];
    """,
    "rank sort of a block": """
        __shared__ T out_S[B];
        S[t] = mine;
        __syncthreads();
        int rank = 0;
        @up(k, 0, B) { if (S[k] < mine || (S[k] == mine && (int)k < t)) rank++; }
        out_S[rank] = mine;
        __syncthreads();
        mine = out_S[t] * 0.8 + 0.1 * mine;
    """,
    "halo of a stencil": """
        S[t] = mine;
        __syncthreads();
        @up(step, 0, 2) {
            T left = t > 0 ? S[t - 1] : 0.2 * A, right = t + 1 < B ? S[t + 1] : 0.0;
            T next = 0.5 * S[t] + 0.3 * left + 0.2 * right * right;
            __syncthreads();
            S[t] = next;
            __syncthreads();
        }
        mine = S[t];
    """,
    "two buffers in turn": """
        __shared__ T both_S[2][B];
        int now = 0;
        both_S[0][t] = mine;
        __syncthreads();
        @up(step, 0, 3) {
            both_S[1 - now][t] = 0.6 * both_S[now][t] + 0.4 * sinf(both_S[now][(t + 1) % B]);
            now = 1 - now;
            __syncthreads();
        }
        mine = both_S[now][t];
    """,
    "red and black": """
        S[t] = mine;
        __syncthreads();
        @up(step, 0, 2) {
            if (t % 2 == 0) S[t] = 0.4 * S[t] + 0.3 * S[(t + 1) % B] + 0.2 * S[(t + B - 1) % B];
            __syncthreads();
            if (t % 2 == 1) S[t] = sinf(S[t]) + 0.5 * S[t - 1];
            __syncthreads();
        }
        mine = S[t];
    """,
    "reversal": """
        S[t] = mine;
        __syncthreads();
        mine = 0.7 * S[B - 1 - t] + 0.2 * mine;
    """,
    "transposition of a tile": """
        __shared__ T tile_S[2][B / 2 + 1];
        tile_S[t / (B / 2)][t % (B / 2)] = mine;
        __syncthreads();
        mine = tile_S[t % 2][t / 2] * (1.0 + 0.1 * t);
    """,
    "product by tiles": """
        __shared__ T other_S[B];
        S[t] = mine;
        other_S[t] = 0.5 * mine * mine;
        __syncthreads();
        T sum = 0.0;
        @up(k, 0, B) { sum += S[k] * other_S[(k + t) % B]; }
        mine = 0.3 * sum;
    """,
    "compaction by a scan": """
        __shared__ int slot_S[B];
        slot_S[t] = mine > 0.0 ? 1 : 0;
        S[t] = 0.0;
        __syncthreads();
        for (int d = 1; d < B; d *= 2) {
            int before = t >= d ? slot_S[t - d] : 0;
            __syncthreads();
            slot_S[t] += before;
            __syncthreads();
        }
        if (mine > 0.0) S[slot_S[t] - 1] = mine * mine;
        __syncthreads();
        mine = 0.5 * mine + S[t] * (1.0 + 0.1 * t);
    """,
    "histogram of a block": """
        if (t < 4) S[t] = 0.0;
        __syncthreads();
        atomicAdd(&S[((Q + 3 * t) & 3)], mine * (1.0 + 0.1 * t));
        __syncthreads();
        mine = 0.5 * mine + 0.4 * S[t & 3];
    """,
    "pointer jumping of a block": """
        __shared__ int to_S[B];
        S[t] = t > 0 ? mine : 0.0;
        to_S[t] = t > 0 ? t - 1 : 0;
        __syncthreads();
        for (int d = 1; d < B; d *= 2) {
            T far = S[to_S[t]];
            int beyond = to_S[to_S[t]];
            __syncthreads();
            S[t] += 0.8 * far;
            to_S[t] = beyond;
            __syncthreads();
        }
        mine = S[t];
    """,
    "one thread for all": """
        S[t] = mine;
        __syncthreads();
        if (t == 0) {
            @up(k, 1, B) { S[k] += 0.5 * S[k - 1]; }
        }
        __syncthreads();
        mine = S[t] * A;
    """,
    "rows by rounds of one thread": """
        S[t] = mine;
        __syncthreads();
        @up(k, 0, B) {
            if ((int)k == t) mine = sinf(mine) + 0.2 * S[k];
            if (t > (int)k) mine -= 0.1 * S[k];
        }
    """,
    "elimination by a block": """
        __shared__ T pivot_S;
        S[t] = mine;
        __syncthreads();
        @upi(k, 0, B - 1) {
            if (t == k) pivot_S = 1.5 + S[k] * S[k];
            __syncthreads();
            if (t > k) S[t] = S[t] - 0.3 * S[k] / pivot_S;
            __syncthreads();
        }
        mine = S[t];
    """,
    "steps until all are near": """
        S[t] = mine;
        __syncthreads();
        @up(step, 0, 3) {
            T mean = 0.0;
            @up(k, 0, B) { mean += S[k]; }
            mean /= B;
            __syncthreads();
            if (fabsf(S[t] - mean) > 0.4) S[t] = 0.5 * (S[t] + mean);
            __syncthreads();
        }
        mine = S[t];
    """,
    "strided sum": """
        S[t] = 0.0;
        for (int k = t; k < 2 * B; k += B) S[t] += mine * (1.0 + 0.1 * k);
        __syncthreads();
        @down(d, 2, 0) {
            int reach = 1 << d;
            if (t < reach && t + reach < B) S[t] += 0.5 * S[t + reach];
            __syncthreads();
        }
        mine = 0.2 * S[0] + 0.5 * S[t];
    """,
    "butterflies of a block": """
        for (int d = 1; d < B; d <<= 1) {
            S[t] = mine;
            __syncthreads();
            T other = S[t ^ d];
            mine = (t & d) ? other - 0.6 * mine : 0.6 * mine + other;
            mine *= 0.7;
            __syncthreads();
        }
    """,
    "Gray order": """
        S[t ^ (t >> 1)] = mine;
        __syncthreads();
        mine = 0.8 * S[t] + 0.1 * t;
    """,
    "shift that goes round": """
        S[t] = mine;
        __syncthreads();
        @up(turn, 0, U % 3 + 1) {
            T next = S[(t + 1) % B];
            __syncthreads();
            S[t] = 0.9 * next + 0.05 * mine;
            __syncthreads();
        }
        mine = S[t];
    """,
    "tree of products kept": """
        __shared__ T node_S[2 * B];
        node_S[B + t] = 1.0 + 0.3 * mine;
        __syncthreads();
        for (int d = B / 2; d > 0; d /= 2) {
            if (t >= d && t < 2 * d) node_S[t] = node_S[2 * t] * node_S[2 * t + 1];
            __syncthreads();
        }
        for (int at = B + t; at > 1; at /= 2) mine = 0.6 * mine + 0.2 * node_S[at ^ 1];
    """,
}
