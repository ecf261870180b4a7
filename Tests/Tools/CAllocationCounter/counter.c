#include "CAllocationCounter.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_llong allocations;
static atomic_llong live_bytes;

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

// A sanitizer brings an allocator of its own, which must not be replaced.
#if defined(__linux__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer) \
    && !__has_feature(memory_sanitizer) && !__has_feature(leak_sanitizer)
#define COUNTS_ALLOCATIONS 1
#else
#define COUNTS_ALLOCATIONS 0
#endif

bool allocation_counter_is_available(void) {
    return COUNTS_ALLOCATIONS;
}

void allocation_counter_start(void) {
    atomic_store(&allocations, 0);
    atomic_store(&live_bytes, 0);
    atomic_store(&is_counting, true);
}

void allocation_counter_stop(void) {
    atomic_store(&is_counting, false);
}

int64_t allocation_counter_allocations(void) {
    return atomic_load(&allocations);
}

int64_t allocation_counter_live_bytes(void) {
    return atomic_load(&live_bytes);
}

#if COUNTS_ALLOCATIONS

#include <errno.h>
#include <malloc.h>

// The names under which glibc exports its own allocator, for those who replace the public names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static inline bool counting(void) {
    return __builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), false);
}

static void count(void *block, long long bytes_before) {
    if (block == NULL) return;
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&live_bytes, (long long)malloc_usable_size(block) - bytes_before, memory_order_relaxed);
}

// Out of line, so that what is not counted jumps to glibc's function: the measured rows allocate too.
__attribute__((noinline)) static void *counted_malloc(size_t size) {
    void *block = __libc_malloc(size);
    count(block, 0);
    return block;
}

void *malloc(size_t size) {
    if (counting()) return counted_malloc(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    void *block = __libc_calloc(number, size);
    if (counting()) count(block, 0);
    return block;
}

void *realloc(void *block, size_t size) {
    if (!counting()) return __libc_realloc(block, size);
    long long before = (long long)malloc_usable_size(block);
    void *moved = __libc_realloc(block, size);
    count(moved, before);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
    void *block = __libc_memalign(alignment, size);
    if (counting()) count(block, 0);
    return block;
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    if (counting()) count(block, 0);
    *result = block;
    return 0;
}

void free(void *block) {
    if (counting()) {
        atomic_fetch_sub_explicit(&live_bytes, (long long)malloc_usable_size(block), memory_order_relaxed);
    }
    __libc_free(block);
}

#endif
