// burn_adj: adjoint of burn (cell_references.cu:18).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform cell_references.cu --of cells --wrt cells,rates
//
// Call with cells and rates as they were before burn. adj_cells comes in as dJ/dcells
// after burn and goes out as dJ/dcells before it, element by element. dJ/drates is
// added to adj_rates. The content of cells afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   c->heat                    tape_cells_heat, a register         line 15 overwrites it
//   c->amount.x                tape_cells_amount_x, a register     line 13 overwrites it
//   burnt (line 27), flow,     reloaded                            still in its variable
//   burnt (line 33)
//   rates[..].x, rates[..].y   reloaded                            nothing stores to it
//   c.amount.y                 tape_cells_amount_y, a register     line 32 overwrites it
//   here.heat                  tape_cells_heat_2, a register       line 30 overwrites it
//   there->heat                tape_cells_heat_3, a register       line 30 overwrites it
//   amount.y (line 30)         tape_cells_amount_y_2, a register   line 32 overwrites it
//   amount.y (line 32)         tape_cells_amount_y_3, a register   line 32 overwrites it
//   cells[..].heat,            reloaded                            no later store goes to
//                                                                  it
//   cells[..].amount.x,
//   cells[..].amount.y
//
// How adjoints are added up:
//   adj_rates[..].x          atomicAdd       cells.next may repeat
//   adj_cells[..].amount.x   +=, one owner   one thread per element
//   adj_cells[..].heat       +=, one owner   one thread per element
//   adj_cells[..].amount.y   +=, one owner   one thread per element
//   adj_rates[..].y          atomicAdd       cells.next may repeat
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Cell {
    float2 amount;
    float heat;
    int next;
};

extern "C" __global__ void burn_adj(Cell *cells, Cell *adj_cells,
                                    const float2 *rates, float2 *adj_rates, float dt, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 >= n)
        return;
    int i_2 = i + 1;
    const int there_at = i_2;
    i_2 -= 1;
    const int k_at = cells[i].next;
    float tape_cells_heat = cells[i].heat;
    float tape_cells_amount_x = cells[i].amount.x;
    float burnt = dt * (rates[k_at].x * cells[i].amount.x * expf(-1.0f / cells[i].heat));
    cells[i].amount.x -= burnt;
    cells[i].amount.y += burnt;
    float tape_cells_amount_y = cells[i].amount.y;
    cells[i].heat += 0.5f * burnt * cells[i].amount.y;
    float tape_cells_heat_2 = cells[i].heat;
    float tape_cells_heat_3 = cells[there_at].heat;
    float flow = rates[k_at + 1].y * (cells[i].heat - cells[there_at].heat);
    float tape_cells_amount_y_2 = cells[there_at].amount.y;
    cells[there_at].heat += flow * cells[there_at].amount.y;
    cells[i].heat -= flow;
    float cells_amount_x_was = cells[there_at].amount.x;
    float tape_cells_amount_y_3 = cells[there_at].amount.y;
    cells[there_at].amount = make_float2(cells[there_at].amount.y * cells[i].heat,
                                         cells_amount_x_was);
    float burnt_2 = dt
                    * (rates[k_at].y * cells[there_at].amount.x
                       * expf(-1.0f / cells[there_at].heat)) + 0.01f * i_2;
    cells[there_at].amount.y += burnt_2;

    // 15:  c.heat += 0.5f * burnt * c.amount.y
    float g = adj_cells[there_at].heat;
    float adj_burnt_2 = 0.5f * cells[there_at].amount.y * g;
    adj_cells[there_at].amount.y += 0.5f * burnt_2 * g;

    // 14:  c.amount.y += burnt
    adj_burnt_2 += adj_cells[there_at].amount.y;
    // 13:  c.amount.x -= burnt
    adj_burnt_2 -= adj_cells[there_at].amount.x;

    // 33:  dt * activity(there, k->y) + 0.01f * i
    float g_2 = dt * adj_burnt_2;
    float g_3 = expf(-1.0f / cells[there_at].heat) * g_2;
    adj_cells[there_at].amount.x += rates[k_at].y * g_3;
    atomicAdd(&adj_rates[k_at].y, cells[there_at].amount.x * g_3);
    adj_cells[there_at].heat += rates[k_at].y * cells[there_at].amount.x
                                * expf(-1.0f / cells[there_at].heat) * g_2 / cells[there_at].heat
                                / cells[there_at].heat;

    // 32:  amount = make_float2(amount.y * here.heat, amount.x)
    float adj_cells_amount_x_was = adj_cells[there_at].amount.y;
    float g_4 = adj_cells[there_at].amount.x;
    adj_cells[there_at].amount.y = cells[i].heat * g_4;
    adj_cells[i].heat += tape_cells_amount_y_3 * g_4;

    // 32:  amount.x
    adj_cells[there_at].amount.x = adj_cells_amount_x_was;
    // 31:  here.heat -= flow
    float adj_flow = -adj_cells[i].heat;

    // 30:  there[0].heat += flow * amount.y
    float g_5 = adj_cells[there_at].heat;
    adj_flow += tape_cells_amount_y_2 * g_5;
    adj_cells[there_at].amount.y += flow * g_5;

    // 28:  float flow = k[1].y * (here.heat - there->heat)
    atomicAdd(&adj_rates[k_at + 1].y, (tape_cells_heat_2 - tape_cells_heat_3) * adj_flow);
    float g_6 = rates[k_at + 1].y * adj_flow;
    adj_cells[i].heat += g_6;
    adj_cells[there_at].heat -= g_6;

    // 15:  c.heat += 0.5f * burnt * c.amount.y
    float g_7 = adj_cells[i].heat;
    float adj_burnt = 0.5f * tape_cells_amount_y * g_7;
    adj_cells[i].amount.y += 0.5f * burnt * g_7;

    // 14:  c.amount.y += burnt
    adj_burnt += adj_cells[i].amount.y;
    // 13:  c.amount.x -= burnt
    adj_burnt -= adj_cells[i].amount.x;

    // 27:  dt * activity(&here, k->x)
    float g_8 = dt * adj_burnt;
    float g_9 = expf(-1.0f / tape_cells_heat) * g_8;
    atomicAdd(&adj_rates[k_at].x, tape_cells_amount_x * g_9);
    adj_cells[i].amount.x += rates[k_at].x * g_9;
    adj_cells[i].heat += rates[k_at].x * tape_cells_amount_x * expf(-1.0f / tape_cells_heat) * g_8
                         / tape_cells_heat / tape_cells_heat;
}
