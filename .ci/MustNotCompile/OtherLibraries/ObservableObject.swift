// Combine: ObservableObject
// error: 'ObservableObject' is unavailable: use @Streamed properties, each of which is a stream: $name
import Streams

#if MISTAKE
    private final class Counter: ObservableObject {}
#else
    private final class Counter { @Streamed var count = 0 }
#endif
