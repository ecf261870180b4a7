#ifdef __linux__
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdlib.h>

#include "CInspector.h"

/// A frame of a function: every platform that Swift has frame pointers on lays it out like this.
struct frame {
    uintptr_t caller;
    uintptr_t return_address;
};

/// Swift marks the frame pointers of asynchronous functions with this bit.
static const uintptr_t asynchronous = (uintptr_t)1 << 60;

// Reads frames of other functions, which AddressSanitizer takes for errors.
__attribute__((noinline, no_sanitize("address"))) int streams_call_stack(uintptr_t *addresses, int limit, uintptr_t top) {
    uintptr_t current = (uintptr_t)__builtin_frame_address(0);
    int count = 0;
    while (count < limit) {
        const struct frame *frame = (const struct frame *)current;
        addresses[count] = frame->return_address;
        count += 1;
        uintptr_t caller = frame->caller & ~asynchronous;
        if (caller <= current || caller % sizeof(uintptr_t) != 0 || caller + sizeof(struct frame) > top) break;
        current = caller;
    }
    return count;
}

uintptr_t streams_stack_top(void) {
#ifdef __linux__
    pthread_attr_t attributes;
    void *bottom = 0;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    return (uintptr_t)bottom + size;
#else
    return (uintptr_t)pthread_get_stackaddr_np(pthread_self());
#endif
}

int streams_thread_name(char *name, size_t size) {
    int error = pthread_getname_np(pthread_self(), name, size);
    return error != 0 ? error : name[0] == 0;
}

const char *streams_symbol(uintptr_t address, const char **image) {
    Dl_info information;
    // The call precedes the address that it returns to.
    if (dladdr((const void *)(address - 1), &information) == 0) return 0;
    *image = information.dli_fname;
    return information.dli_sname;
}

int64_t streams_peer_user(int descriptor) {
#ifdef __linux__
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int64_t)peer.uid : -1;
#else
    uid_t user;
    gid_t group;
    return getpeereid(descriptor, &user, &group) == 0 ? (int64_t)user : -1;
#endif
}

void streams_inspector_install(int32_t is_wanted);

// Runs in every program that is linked with StreamsInspector, whether it imports it or not.
__attribute__((constructor)) static void install(void) {
    const char *wanted = getenv("STREAMS_INSPECT");
    streams_inspector_install(wanted != 0 && wanted[0] == '1' && wanted[1] == 0);
}
