// [class.mem], [dcl.enum]: an enumeration of a class, by a typedef, and with a type of its own.
struct Cell {
    enum State : unsigned char { EMPTY = 1, FULL = 254 };
    int state;
    float value;
    __device__ int next() const { return state + 3; }
};
typedef enum { SMALL = 2, BIG } Size;
enum Flag : unsigned char { OFF, ON = 200 };
enum class Way : short { up = -3, down };
extern "C" __global__ void enumeration_in_a_class(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Cell cell = {m[i] & 1 ? Cell::FULL : Cell::EMPTY, s};
    s = sinf(cell.value) * x[cell.next() >> 5] + s;
    unsigned char part = cell.next();
    s *= x[part & 7];
    Size size = m[i] & 2 ? SMALL : BIG;
    s *= x[size] + size * s;
    Flag flag = (Flag)(ON + m[i] + 60);
    s *= x[flag & 15];
    Way way = Way(int(Way::up) + 65536);
    s *= way == Way::up ? x[5] : x[6];
    s *= x[sizeof(Flag) + sizeof(Way)] * x[sizeof(Size)];
    y[i] = s;
}
