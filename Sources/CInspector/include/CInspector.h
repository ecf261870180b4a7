#ifndef CINSPECTOR_H
#define CINSPECTOR_H

#include <stddef.h>
#include <stdint.h>

/// Writes the return addresses of the calling functions, the innermost first, at most `limit`. Returns how many there are. It follows frame
/// pointers as long as they lie below `top`, the end of this thread's stack.
int streams_call_stack(uintptr_t *addresses, int limit, uintptr_t top);

/// The end of this thread's stack.
uintptr_t streams_stack_top(void);

/// Writes the name of this thread; returns 0 if it has one.
int streams_thread_name(char *name, size_t size);

/// The name of the function that contains the instruction before `address`, and the path of its binary; null if it is unknown.
const char *streams_symbol(uintptr_t address, const char **image);

/// The user at the other end of a connected local socket; -1 if that is unknown.
int64_t streams_peer_user(int descriptor);

#endif
