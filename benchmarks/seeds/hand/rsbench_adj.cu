// Adjoint of rsbench.  of macro, wrt poles.
//   macro          linear in the residues rt, ra, rf, and not needed: each pole's w(z) and its derivative suffice
//   residues       Re(r w) has the adjoint conj(w)
//   ea             dz = -doppler dea: with q the sum of seed x residue, Re(q dw/dx) and Re(q dw/dy)
//   faddeeva       value and derivative share the complex reciprocals, one for each term of the series
//   factor         exp(-2i (phi - atan(a / b))) = exp(-2i phi) (b + ia)^2 / (a^2 + b^2): no atan
//   adj_poles      lookups share poles: eight atomics for each. l has none
struct Complex {
    double r, i;
};

struct Pole {
    Complex ea, rt, ra, rf;
    int l;
};

struct Window {
    double t, a, f;
    int start, end;
};

__device__ Complex operator+(Complex a, Complex b)
{
    return {a.r + b.r, a.i + b.i};
}

__device__ Complex operator-(Complex a, Complex b)
{
    return {a.r - b.r, a.i - b.i};
}

__device__ Complex operator*(Complex a, Complex b)
{
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}

__device__ Complex operator*(double a, Complex b)
{
    return {a * b.r, a * b.i};
}

__device__ Complex times_i(Complex a)
{
    return {-a.i, a.r};
}

__device__ Complex reciprocal(Complex a)
{
    const double per_norm2 = 1.0 / (a.r * a.r + a.i * a.i);
    return {per_norm2 * a.r, -per_norm2 * a.i};
}

__device__ double real_of_product(Complex a, Complex b)
{
    return a.r * b.r - a.i * b.i;
}

// exp(x) as (1 + x / 4096) to the power of 4096.
__device__ double fast_exp(double x)
{
    x = 1.0 + x * 0.000244140625;
    for (int k = 0; k < 12; ++k)
        x *= x;
    return x;
}

// The Faddeeva function at z = x + iy, and its derivatives by x and y.
struct Faddeeva {
    Complex w, dx, dy;
};

// The Abrarov series near the origin, else an asymptotic expansion; both are i u(z).
__device__ Faddeeva faddeeva(Complex z)
{
    if (z.r * z.r + z.i * z.i < 36.0) {
        const double an[10] = {2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02,
                               2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04};
        const double denominator[10] = {9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02,
                                        3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02};
        // With wave = exp(12iz), u = (1 - wave) / (12 z) + 81.2433 z sum,  sum = plus (wave - 1) - minus (wave + 1):
        // plus and minus are the sums of an / (denominator - 144 z^2) over every other n; by 144 z^2, dplus, dminus
        const Complex square = 144.0 * (z * z);
        Complex plus = {0.0, 0.0}, minus = {0.0, 0.0}, dplus = {0.0, 0.0}, dminus = {0.0, 0.0};
        for (int n = 0; n < 10; n += 2) {
            const Complex one = reciprocal({denominator[n] - square.r, -square.i});
            const Complex two = reciprocal({denominator[n + 1] - square.r, -square.i});
            const Complex term = an[n] * one, next = an[n + 1] * two;
            minus = minus + term;
            dminus = dminus + term * one;
            plus = plus + next;
            dplus = dplus + next * two;
        }
        double sine, cosine;
        sincos(12.0 * z.r, &sine, &cosine);
        const double size = fast_exp(-12.0 * z.i);
        const Complex wave = {size * cosine, size * sine};
        const Complex inverse = reciprocal(z);
        const Complex start = 1.0 / 12.0 * (inverse * Complex{1.0 - wave.r, -wave.i});
        const Complex by_sum = plus - minus;  // dsum/dwave
        const Complex sum = wave * by_sum - (plus + minus), dsum = wave * (dplus - dminus) - (dplus + dminus);
        const Complex u = start + 81.2433 * (z * sum);
        // du is for a constant wave; its change takes by_wave from dw/dx, and about i by_wave from dw/dy: not quite,
        // as the derivative of fast_exp(t) is fast_exp(t) / (1 + t / 4096)
        const Complex du = 81.2433 * (sum + 2.0 * (square * dsum)) - inverse * start;
        const Complex by_wave = wave * (12.0 * 81.2433 * (z * by_sum) - inverse);
        const double along_y = 1.0 / (1.0 - 12.0 * 0.000244140625 * z.i);
        return {times_i(u), times_i(du) - by_wave, times_i(-along_y * by_wave) - du};
    }
    // u = z (one + two) of z^2
    const Complex square = z * z;
    const Complex per_one = reciprocal({square.r - 0.2752551286084109, square.i});
    const Complex per_two = reciprocal({square.r - 2.724744871391589, square.i});
    const Complex one = 0.5124242247547685 * per_one, two = 0.05176535879298782 * per_two;
    const Complex both = one + two;
    const Complex du = both - 2.0 * (square * (one * per_one + two * per_two));
    return {times_i(z * both), times_i(du), -1.0 * du};
}

// exp(-2i (phi - atan(a / b))) of angular momentum l.
__device__ Complex phase_factor(int l, double phi)
{
    double sine, cosine;
    sincos(2.0 * phi, &sine, &cosine);
    const Complex turn = {cosine, -sine};
    if (l == 0)
        return turn;
    const double phi2 = phi * phi;
    const double a = l == 1 ? -phi : l == 2 ? 3.0 * phi : phi * (15.0 - phi2);
    const double b = l == 1 ? 1.0 : l == 2 ? 3.0 - phi2 : 15.0 - 6.0 * phi2;
    const double a2 = a * a, b2 = b * b, per_norm2 = 1.0 / (a2 + b2);
    return turn * Complex{(b2 - a2) * per_norm2, 2.0 * a * b * per_norm2};
}

__device__ void add_to(Complex *to, double r, double i)
{
    atomicAdd(&to->r, r);
    atomicAdd(&to->i, i);
}

extern "C" __global__ void rsbench_adj(const double *__restrict__ energies, const int *__restrict__ materials,
                                       const int *__restrict__ num_nucs, const int *__restrict__ mats,
                                       const double *__restrict__ concs, const int *__restrict__ n_windows,
                                       const double *__restrict__ pseudo_k0rs, const Window *__restrict__ windows,
                                       const Pole *__restrict__ poles, Pole *adj_poles, double *__restrict__ macro,
                                       const double *__restrict__ adj_macro, int lookups, int most_nucs,
                                       int most_windows, int most_poles)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= lookups)
        return;
    const double energy = energies[id], root = sqrt(energy);
    const int material = materials[id], nucs = num_nucs[material];
    const double *seed = &adj_macro[4 * id];
    const double seed_total = seed[0] + seed[3], seed_absorption = seed[1] - seed[3], seed_fission = seed[2];

    for (int j = 0; j < nucs; ++j) {
        const int nuclide = mats[material * most_nucs + j];
        const double conc = concs[material * most_nucs + j];
        const double g_absorption = conc * seed_absorption, g_fission = conc * seed_fission;
        Complex factor[4];  // times the seed of the total
        for (int l = 0; l < 4; ++l)
            factor[l] = conc * seed_total * phase_factor(l, pseudo_k0rs[nuclide * 4 + l] * root);

        const int windows_here = n_windows[nuclide];
        const int at = min((int)(energy * windows_here), windows_here - 1);
        const Window *window = &windows[nuclide * most_windows + at];
        const int end = window->end;
        for (int p = window->start; p < end; ++p) {
            const Pole *pole = &poles[nuclide * most_poles + p];
            const Faddeeva f = faddeeva({0.5 * (energy - pole->ea.r), -0.5 * pole->ea.i});
            const Complex turn = factor[pole->l], turned = turn * f.w;
            const Complex q = turn * pole->rt + g_absorption * pole->ra + g_fission * pole->rf;
            Pole *to = &adj_poles[nuclide * most_poles + p];
            add_to(&to->ea, -0.5 * real_of_product(q, f.dx), -0.5 * real_of_product(q, f.dy));
            add_to(&to->rt, turned.r, -turned.i);
            add_to(&to->ra, g_absorption * f.w.r, -g_absorption * f.w.i);
            add_to(&to->rf, g_fission * f.w.r, -g_fission * f.w.i);
        }
    }
}
