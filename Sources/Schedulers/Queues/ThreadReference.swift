import Foundation

/// A reference that each thread has of its own: to what is running on it. The object is not retained.
package struct ThreadReference<Object: AnyObject>: Sendable {
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        self.key = key
    }

    /// The object of the innermost `with` that is running on this thread.
    package var current: Object? {
        pthread_getspecific(key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` with `object` as the current one.
    package func with(_ object: Object, _ body: () -> Void) {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(object).toOpaque())
        defer { pthread_setspecific(key, outer) }
        body()
    }
}
