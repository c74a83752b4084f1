"""Integers: divisors, digits, bits, permutations; they choose which values are summed."""

ALGORITHMS = {
    "Euclid by remainders": """
        [[int ~ unsigned ~ long long]] a = Q + 12, b = 18;
        @while(b != 0; ) {
            [[int ~ unsigned]] rest = a % b;
            ACC += 0.1 * V[rest % N];
            a = b;
            b = rest;
        }
        V[a % K] *= 1.0 + 0.1 * A;
    """,
    "Euclid by subtraction": """
        int a = Q % 30 + 1, b = 21;
        @while(a != b; ) {
            @if(a > b) { a -= b; ACC += 0.1 * V[a % N]; } @else { b -= a; ACC -= 0.2 * V[b % N]; }
        }
    """,
    "Euclid extended": """
        int r0 = Q + 5, r1 = 35, s0 = 1, s1 = 0;
        @while(r1 != 0; ) {
            int q0 = r0 / r1;
            int r2 = r0 - q0 * r1, s2 = s0 - q0 * s1;
            r0 = r1; r1 = r2;
            s0 = s1; s1 = s2;
            V[q0 % N] = sinf(V[q0 % N]) + 0.1 * s0;
        }
    """,
    "digits summed": """
        [[int ~ unsigned ~ short]] rest = Q;
        do {
            int digit = rest % 10;
            ACC += V[digit % N] * (0.2 + 0.1 * digit);
            rest /= 10;
        } while (rest > 0);
    """,
    "digits reversed": """
        int rest = Q, turned = 0;
        T power = 1.0;
        @while(rest != 0; rest /= 10) {
            turned = turned * 10 + rest % 10;
            power *= 0.5 + 0.2 * V[rest % N];
        }
        ACC += power * (1.0 + 0.001 * turned);
    """,
    "Collatz": """
        [[int ~ unsigned ~ long long]] c = Q % 7 + 2;
        T value = V[0];
        @while(c != 1; ) {
            @if(c % 2 == 0) { c /= 2; value = 0.9 * value + 0.1 * V[c % N]; }
            @else { c = 3 * c + 1; value = sinf(value); }
        }
        ACC += value;
    """,
    "power by squaring": """
        [[unsigned ~ int]] e = Q % 13;
        T base = 0.8 + 0.1 * V[0], power = 1.0;
        @while(e > 0; ) {
            if (e & 1) power *= base;
            base *= base;
            e >>= 1;
        }
        V[0] = power;
    """,
    "sieve": """
        bool composite[16];
        @up(j, 0, 16) { composite[j] = false; }
        for (int p = 2; p * p < 16; ++p) {
            if (composite[p]) continue;
            for (int m = p * p; m < 16; m += p) composite[m] = true;
        }
        @up(j, 2, 16) { if (!composite[j]) ACC += 0.1 * V[j % N] * V[(j + Q) % N]; }
    """,
    "factorisation": """
        int rest = Q + 2;
        for (int p = 2; p * p <= rest; ++p) {
            @while(rest % p == 0; rest /= p) { V[p % K] = 0.9 * V[p % K] + 0.1 * p * A; }
        }
        if (rest > 1) ACC += V[rest % K];
    """,
    "Gray code": """
        T point[3] = {0.3, 0.2, 0.1};
        for ([[int ~ unsigned]] code = 1; code [[< ~ !=]] 8; ++code) {
            int bit = 0;
            @while(((code >> bit) & 1) == 0; ++bit) { }
            point[bit] += V[code % N];
            ACC += 0.1 * point[bit] * point[(bit + 1) % 3];
        }
    """,
    "bits counted": """
        unsigned bits = Q;
        int many = 0;
        @while(bits; ) {
            bits &= bits - 1;
            ACC += V[many % N] * (0.5 + 0.1 * many);
            many++;
        }
    """,
    "bits reversed": """
        T out[8];
        @up(j, 0, 8) {
            unsigned back = 0;
            for (int b = 0; b < 3; b++) back |= ((j >> b) & 1u) << (2 - b);
            out[back] = V[j % K] * (1.0 + 0.1 * j);
        }
        @up(j, 0, N) { V[j] = out[j]; }
    """,
    "permutation in cycles": """
        int to[K];
        @up(j, 0, K) { to[j] = (j + 1 + Q % (K - 1)) % K; }
        bool done[K];
        @up(j, 0, K) { done[j] = false; }
        @upi(start, 0, K) {
            if (done[start]) continue;
            T carried = V[start];
            int at = start;
            do {
                int next = to[at];
                T held = V[next];
                V[next] = carried * 0.9;
                carried = held;
                done[at] = true;
                at = next;
            } while (at != start);
        }
    """,
    "next permutation": """
        int p[4] = {0, 1, 2, 3};
        @up(turn, 0, Q % 5 + 1) {
            int a = 2;
            @while(a >= 0 && p[a] > p[a + 1]; --a) { }
            if (a < 0) break;
            int b = 3;
            @while(p[b] < p[a]; --b) { }
            { int h = p[a]; p[a] = p[b]; p[b] = h; }
            for (int l = a + 1, r = 3; l < r; ++l, --r) { int h = p[l]; p[l] = p[r]; p[r] = h; }
            ACC += 0.2 * V[p[0] % K] * V[p[3] % K];
        }
    """,
    "Josephus": """
        bool gone[K];
        @up(j, 0, K) { gone[j] = false; }
        int at = Q % N;
        for (int left = N; left > 1; --left) {
            int steps = 2;
            @while(steps > 0; ) {
                at = (at + 1) % N;
                if (!gone[at]) steps--;
            }
            gone[at] = true;
            ACC = 0.8 * ACC + 0.3 * V[at];
        }
    """,
    "Fibonacci heads": """
        int a = 1, b = 1;
        @while(b < Q; ) {
            int c = a + b;
            a = b;
            b = c;
            V[b % N] += 0.1 * V[a % N];
        }
    """,
    "Zeckendorf": """
        int fib[16];
        fib[0] = 1;
        fib[1] = 2;
        @up(j, 2, 16) { fib[j] = fib[j - 1] + fib[j - 2]; }
        int rest = Q;
        @down(j, 16, 0) {
            if (fib[j] > rest) continue;
            rest -= fib[j];
            ACC += 0.2 * V[j % N];
        }
    """,
    "van der Corput": """
        @up(j, 0, N) {
            T where = 0.0, part = 0.5;
            [[unsigned ~ int]] bits = j + 1;
            @while(bits != 0; bits /= 2) { where += part * (bits % 2); part *= 0.5; }
            V[j] = V[j] * where + 0.2 * sinf(V[j]);
        }
    """,
    "peasants' product": """
        int a = Q % 20;
        T b = V[0], product = 0.0;
        @while(a >= 1; a [[/= 2 ~ >>= 1]]) {
            @if(a % 2) { product += b; }
            b = b + b;
        }
        V[0] = 0.2 * product;
    """,
    "root by odd numbers": """
        int rest = Q % 90, root = 0;
        for (int odd = 1; rest >= odd; odd += 2) {
            rest -= odd;
            ++root;
            ACC += 0.1 * root * V[root % N];
        }
        V[rest % N] *= 0.7;
    """,
    "generator of residues": """
        [[unsigned ~ unsigned char ~ unsigned short]] r = Q;
        @up(turn, 0, 6) {
            r = r * 5 + 3;
            V[r % N] = 0.8 * V[r % N] + 0.3 * V[(r >> 2) % K];
        }
    """,
    "counter that wraps": """
        unsigned char c = 250 + Q % 4;
        @while(c != 3; ++c) { ACC += 0.1 * V[c % N] * V[(c + 1) % N]; }
    """,
}
