#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether this platform counts at all: Linux with glibc, in a build without a sanitizer.
bool allocation_counter_is_available(void);

/// Sets both figures to zero and starts to count. The allocation functions cost a branch more while counting is off.
void allocation_counter_start(void);

/// Stops counting; the figures stay.
void allocation_counter_stop(void);

/// The number of allocations, of any thread, while counting was on. A `realloc` is one.
int64_t allocation_counter_allocations(void);

/// The bytes allocated less the bytes freed while counting was on, as the allocator rounded them.
int64_t allocation_counter_live_bytes(void);
