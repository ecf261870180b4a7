/// Whether ThreadSanitizer watches, which has memory of its own and slows down what is compiled here.
#if THREAD_SANITIZER
    public let isSanitized = true
#else
    public let isSanitized = false
#endif
