/// Whether ThreadSanitizer is active. It needs memory of its own, and slows down the code that is compiled here.
#if THREAD_SANITIZER
    public let isSanitized = true
#else
    public let isSanitized = false
#endif
