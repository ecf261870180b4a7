#ifdef __linux__
#define _GNU_SOURCE
#include <poll.h>
#endif

#include "CStreamsSystem.h"

#ifdef __linux__
void streams_wait_readable(int descriptor, long nanoseconds) {
    struct pollfd set = {.fd = descriptor, .events = POLLIN};
    struct timespec limit = {.tv_nsec = nanoseconds};
    ppoll(&set, 1, &limit, 0);
}
#endif
