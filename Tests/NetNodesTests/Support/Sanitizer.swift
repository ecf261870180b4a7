/// Whether ThreadSanitizer watches, which has memory of its own and slows down what is compiled here.
#if THREAD_SANITIZER
    let isSanitized = true
#else
    let isSanitized = false
#endif
