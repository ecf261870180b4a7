/// Memory that the allocator keeps for the next chunk of a body instead of returning it to the system.
enum FreedMemory {
    /// Lets glibc keep freed chunks. Otherwise it would return them to the kernel, which would clear the pages of each new one: a fifth of
    /// the work of a long body.
    ///
    /// Freeing a large block raises both thresholds, for mapping and for trimming. The block itself is never touched. At most four
    /// megabytes of chunks wait at a time.
    ///
    /// Source: [mallopt(3)](https://man7.org/linux/man-pages/man3/mallopt.3.html), `M_MMAP_THRESHOLD`.
    static func keep() {
        UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024 * 1024, alignment: 16).deallocate()
    }
}
