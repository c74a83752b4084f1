// The gradient of a misfit with respect to the conductivity of a plate, in C++: a caller of the program
// that `s2sad chain plate.toml -o plate.cu` writes. See the Makefile.
#include "plate.cu"

#include <cmath>
#include <cstdio>

// Copies numbers to the device; null if that fails.
static double *on_device(const std::vector<double> &values)
{
    void *made = nullptr;
    if (cudaMalloc(&made, values.size() * sizeof(double)) != cudaSuccess)
        return nullptr;
    cudaMemcpy(made, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice);
    return (double *)made;
}

static std::vector<double> from_device(const double *array, size_t count)
{
    std::vector<double> values(count);
    cudaMemcpy(values.data(), array, count * sizeof(double), cudaMemcpyDeviceToHost);
    return values;
}

int main()
{
    const long long size = 24, steps = 60;
    const size_t cells = size * size;
    const plate::Numbers numbers = {steps, 0.2, size, size};
    const plate::Lengths lengths = {cells, cells, cells};

    std::vector<double> hot(cells), conductivity(cells, 0.6);
    for (long long at = 0; at < size * size; ++at)
        hot[at] = (at / size / 3 + at % size / 3) % 2 == 0;
    const plate::Arrays arrays = {on_device(hot), on_device(conductivity), on_device(hot)};
    const plate::Adjoints adjoints = {on_device(hot), on_device(conductivity)};

    plate::Gradient gradient(numbers, lengths);
    const char *error = gradient.forward(arrays);
    if (!error) {
        // the misfit: half the squared distance from one half, everywhere
        std::vector<double> seed = from_device(arrays.u, cells);
        double misfit = 0.0;
        for (double &value : seed) {
            value -= 0.5;
            misfit += 0.5 * value * value;
        }
        cudaMemcpy(adjoints.u, seed.data(), cells * sizeof(double), cudaMemcpyHostToDevice);
        error = gradient.back(adjoints);
        double norm = 0.0;
        for (double slope : from_device(adjoints.k, cells))
            norm += slope * slope;
        if (!error)
            std::printf("misfit %.6f, norm of its gradient %.6f, %zu bytes\n", misfit, std::sqrt(norm),
                        gradient.bytes());
    }
    for (double *array : {arrays.u, arrays.k, arrays.v, adjoints.u, adjoints.k})
        cudaFree(array);
    if (error)
        std::fprintf(stderr, "%s\n", error);
    return error ? 1 : 0;
}
