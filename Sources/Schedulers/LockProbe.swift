#if DEBUG
    import Foundation
#endif

/// Counts, in debug builds, the locks that the current thread holds, so that a call to user code under a lock fails a test (law 3).
///
/// Compiles to nothing in release builds.
@usableFromInline
package enum LockProbe {
    #if DEBUG
        private static let key: pthread_key_t = {
            var key = pthread_key_t()
            pthread_key_create(&key, nil)
            return key
        }()

        /// The number of the package's locks that the current thread holds; always 0 in release builds.
        package private(set) static var held: Int {
            get { Int(bitPattern: pthread_getspecific(key)) }
            set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
        }
    #else
        /// The number of the package's locks that the current thread holds; always 0 in release builds.
        @inlinable package static var held: Int { 0 }
    #endif

    #if DEBUG
        @usableFromInline
        package static func enter() { held += 1 }

        @usableFromInline
        package static func leave() { held -= 1 }

        /// Traps if the current thread holds a lock of the package: user code is about to run.
        @usableFromInline
        package static func expectNoLock() {
            precondition(held == 0, "user code is about to run while the library holds a lock")
        }
    #else
        @inlinable package static func enter() {}

        @inlinable package static func leave() {}

        @inlinable package static func expectNoLock() {}
    #endif
}
