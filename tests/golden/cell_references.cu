// s2sad: --of cells --wrt cells,rates
// Chemistry in a list of cells, each by reference and by pointer; the counter goes on while they stay.
struct Cell {
    float2 amount;
    float heat;
    int next;
};

__device__ float activity(const Cell *c, float k) { return k * c->amount.x * expf(-1.0f / c->heat); }

__device__ void react(Cell &c, float burnt)
{
    c.amount.x -= burnt;
    c.amount.y += burnt;
    c.heat += 0.5f * burnt * c.amount.y;
}

extern "C" __global__ void burn(Cell *cells, const float2 *rates, float dt, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 >= n)
        return;
    Cell &here = cells[i++];
    Cell *there = &cells[i];
    i -= 1;
    const float2 *k = rates + here.next;
    react(here, dt * activity(&here, k->x));
    float flow = k[1].y * (here.heat - there->heat);
    auto &amount = there->amount;
    there[0].heat += flow * amount.y;
    here.heat -= flow;
    amount = make_float2(amount.y * here.heat, amount.x);
    react(*there, dt * activity(there, k->y) + 0.01f * i);
}
