// RSBench: macroscopic neutron cross sections by the multipole method. After J. Tramm et al., "Performance
// analysis of a reduced data movement algorithm for neutron cross section data" (2014); a thread is one lookup.
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

__device__ Complex add(Complex a, Complex b)
{
    return {a.r + b.r, a.i + b.i};
}

__device__ Complex subtract(Complex a, Complex b)
{
    return {a.r - b.r, a.i - b.i};
}

__device__ Complex multiply(Complex a, Complex b)
{
    return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}

__device__ Complex divide(Complex a, Complex b)
{
    const double norm2 = b.r * b.r + b.i * b.i;
    return {(a.r * b.r + a.i * b.i) / norm2, (a.i * b.r - a.r * b.i) / norm2};
}

// exp(x) as (1 + x / 4096) to the power of 4096.
__device__ double fast_exp(double x)
{
    x = 1.0 + x * 0.000244140625;
    for (int k = 0; k < 12; ++k)
        x *= x;
    return x;
}

__device__ Complex fast_cexp(Complex z)
{
    const double size = fast_exp(z.r);
    return {size * cos(z.i), size * sin(z.i)};
}

// The Faddeeva function: the Abrarov series near the origin, else an asymptotic expansion.
__device__ Complex faddeeva(Complex z)
{
    const Complex i = {0.0, 1.0};
    if (sqrt(z.r * z.r + z.i * z.i) < 6.0) {
        const double an[10] = {2.758402e-01, 2.245740e-01, 1.594149e-01, 9.866577e-02, 5.324414e-02,
                               2.505215e-02, 1.027747e-02, 3.676164e-03, 1.146494e-03, 3.117570e-04};
        const double sign[10] = {-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0};
        const double denominator[10] = {9.869604e+00, 3.947842e+01, 8.882644e+01, 1.579137e+02, 2.467401e+02,
                                        3.553058e+02, 4.836106e+02, 6.316547e+02, 7.994380e+02, 9.869604e+02};
        const Complex one = {1.0, 0.0};
        const Complex wave = fast_cexp(multiply({0.0, 12.0}, z));
        Complex w = divide(multiply(i, subtract(one, wave)), multiply({12.0, 0.0}, z));
        Complex sum = {0.0, 0.0};
        const Complex square = multiply({144.0, 0.0}, multiply(z, z));
        for (int n = 0; n < 10; ++n) {
            const Complex top = subtract(multiply({sign[n], 0.0}, wave), one);
            const Complex bottom = subtract({denominator[n], 0.0}, square);
            sum = add(sum, multiply({an[n], 0.0}, divide(top, bottom)));
        }
        return add(w, multiply({0.0, 81.2433}, multiply(z, sum)));
    }
    const Complex square = multiply(z, z);
    const Complex one = divide({0.512424224754768462984202823134979415014943561548661637413182, 0.0},
                               subtract(square, {0.275255128608410950901357962647054304017026259671664935783653, 0.0}));
    const Complex two = divide({0.051765358792987823963876628425793170829107067780337219430904, 0.0},
                               subtract(square, {2.724744871391589049098642037352945695982973740328335064216346, 0.0}));
    return multiply(multiply(i, z), add(one, two));
}

// s2sad: --of macro --wrt poles
extern "C" __global__ void rsbench(const double *__restrict__ energies, const int *__restrict__ materials,
                                   const int *__restrict__ num_nucs, const int *__restrict__ mats,
                                   const double *__restrict__ concs, const int *__restrict__ n_windows,
                                   const double *__restrict__ pseudo_k0rs, const Window *__restrict__ windows,
                                   const Pole *__restrict__ poles, double *__restrict__ macro, int lookups,
                                   int most_nucs, int most_windows, int most_poles)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= lookups)
        return;
    const double energy = energies[id];
    const int material = materials[id];
    const double root = sqrt(energy);

    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < num_nucs[material]; ++j) {
        const int nuclide = mats[material * most_nucs + j];
        const double conc = concs[material * most_nucs + j];

        // phase factors of the four angular momenta
        Complex factor[4];
        for (int l = 0; l < 4; ++l) {
            double phi = pseudo_k0rs[nuclide * 4 + l] * root;
            if (l == 1)
                phi -= -atan(phi);
            else if (l == 2)
                phi -= atan(3.0 * phi / (3.0 - phi * phi));
            else if (l == 3)
                phi -= atan(phi * (15.0 - phi * phi) / (15.0 - 6.0 * phi * phi));
            phi *= 2.0;
            factor[l] = {cos(phi), -sin(phi)};
        }

        int at = (int)(energy * n_windows[nuclide]);
        if (at == n_windows[nuclide])
            --at;
        const Window *window = &windows[nuclide * most_windows + at];
        double total = energy * window->t, absorption = energy * window->a, fission = energy * window->f;
        const double doppler = 0.5;
        for (int p = window->start; p < window->end; ++p) {
            const Pole *pole = &poles[nuclide * most_poles + p];
            const Complex z = multiply(subtract({energy, 0.0}, pole->ea), {doppler, 0.0});
            const Complex w = faddeeva(z);
            total += multiply(multiply(pole->rt, w), factor[pole->l]).r;
            absorption += multiply(pole->ra, w).r;
            fission += multiply(pole->rf, w).r;
        }
        sum[0] += conc * total;
        sum[1] += conc * absorption;
        sum[2] += conc * fission;
        sum[3] += conc * (total - absorption);
    }
    for (int k = 0; k < 4; ++k)
        macro[4 * id + k] = sum[k];
}
