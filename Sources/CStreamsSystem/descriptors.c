#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CStreamsSystem.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif
#include <sys/socket.h>
#include <unistd.h>

static int above_standard(int descriptor) {
    if (descriptor > STDERR_FILENO) return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

int streams_pipe(int ends[2]) {
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
#else
    if (pipe(ends) != 0) return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    ends[0] = above_standard(ends[0]);
    int error = ends[0] < 0 ? errno : 0;
    ends[1] = above_standard(ends[1]);
    if (error == 0 && ends[1] < 0) error = errno;
    if (error == 0) return 0;
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    return error;
}

int streams_accept(int listener) {
#ifdef __linux__
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
#else
    int accepted = accept(listener, NULL, NULL);
    if (accepted >= 0) fcntl(accepted, F_SETFD, FD_CLOEXEC);
    return accepted;
#endif
}

#ifdef __linux__
int streams_event(void) {
    int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return event < 0 ? event : above_standard(event);
}
#endif
