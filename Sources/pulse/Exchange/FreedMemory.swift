/// Memory that the allocator keeps for the next chunk of a body instead of returning it to the system.
enum FreedMemory {
    /// Lets glibc keep freed chunks. Otherwise it unmaps them, and the kernel clears the pages of each new one: a fifth of the work of a long body.
    ///
    /// A large block that is freed raises both of its thresholds, that of mapping and that of trimming, and is never touched itself; at most
    /// four megabytes of chunks wait at a time.
    ///
    /// Source: [mallopt(3)](https://man7.org/linux/man-pages/man3/mallopt.3.html), `M_MMAP_THRESHOLD`.
    static func keep() {
        UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024 * 1024, alignment: 16).deallocate()
    }
}
