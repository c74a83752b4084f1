// Classes of which the device has a part: constructors of the host alone, ones without a body, objects
// that are made to be called. Of several functions of one name only the one that is called must be known.
// s2sad: --of out --wrt v
void allocate(void **where, size_t bytes);

template <typename T>
class Table {
  public:
    Table(int rows, int columns);
    Table(int n) : rows(n), columns(n) { allocate((void **)&data, n * n * sizeof(T)); }
    __device__ Table(T *d, int r, int c) : data(d), rows(r), columns(c) {}
    __device__ int at(int r, int c) const { return r * columns + c; }
    void resize(int n) { allocate((void **)&data, n * sizeof(T)); }

    T *data;
    int rows, columns;

  private:
    Table(const Table &);
};

template <typename T, size_t size>
struct Adder;
template <typename T>
struct Adder<T, 4> {
    float most = 8.0f;
    __device__ void operator()(T *where, T value)
    {
        most *= 0.5f;
        atomicAdd(where, most * value);
    }
};

__device__ void add(int *where, int value) { *where = atomicCAS(where, 0, value); }
__device__ void add(float *where, float value) { Adder<float, sizeof(int)>()(where, value); }

extern "C" __global__ void device_parts(const float *v, float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Table<float> sums(out, rows, columns);
    if (i < rows * columns) {
        float x = v[i];
        int r = i % rows, c = i / rows;
        add(&sums.data[sums.at(r, c)], x * x);
        add(&sums.data[sums.at(rows - 1, c)], 0.25f * x);
    }
}
