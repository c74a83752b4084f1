/* Launch one kernel of a compiled library, counting only the launch: run under `valgrind --tool=callgrind
 * --collect-atstart=no`.
 *
 *     launch_counted LIBRARY ENTRY REQUEST
 *
 * REQUEST: three numbers of 8 bytes (pointers, bytes of the packed request, bytes of data), for each pointer its
 * place in the request and in the data, the request as module.py packs it, and the data of all arrays. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

static char message[2048];

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 2;
}

int main(int count, char **words)
{
    uint64_t sizes[3];
    if (count != 4)
        return fail("usage: launch_counted LIBRARY ENTRY REQUEST");
    FILE *file = fopen(words[3], "rb");
    if (!file || fread(sizes, sizeof sizes, 1, file) != 1)
        return fail("no request");
    uint64_t *places = malloc(sizes[0] * 16 + 16);
    char *request = malloc(sizes[1]);
    char *data = aligned_alloc(256, (sizes[2] + 511) / 256 * 256);
    if (!places || !request || !data || fread(places, 16, sizes[0], file) != sizes[0]
        || fread(request, 1, sizes[1], file) != sizes[1] || fread(data, 1, sizes[2], file) != sizes[2])
        return fail("the request is cut off");
    for (uint64_t k = 0; k < sizes[0]; ++k) {
        char *address = data + places[2 * k + 1];
        memcpy(request + places[2 * k], &address, sizeof address);
    }
    void *library = dlopen(words[1], RTLD_NOW);
    if (!library)
        return fail(dlerror());
    int (*entry)(const char *, char *) = (int (*)(const char *, char *))dlsym(library, words[2]);
    if (!entry)
        return fail("no such kernel in the library");
    CALLGRIND_TOGGLE_COLLECT;
    const int failed = entry(request, message);
    CALLGRIND_TOGGLE_COLLECT;
    return failed ? fail(message) : 0;
}
