#include <cstdio>

int main()
{
    std::printf("no kernel here\n");
}
// no line: no-kernel: no `__global__` function with a body
