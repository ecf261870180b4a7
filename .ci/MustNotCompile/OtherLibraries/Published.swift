// Combine: @Published
// error: 'Published' has been renamed to 'Streamed'
import Streams

@MainActor private final class Model {
    #if MISTAKE
        @Published var count = 0
    #else
        @Streamed var count = 0
    #endif
}
