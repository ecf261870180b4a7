#if DEBUG || THREAD_SANITIZER
    import Foundation
#else
    import Synchronization
#endif

/// The only lock of the package: protects state that one thread at a time can access.
///
/// In release builds it is a `Mutex`. Debug and sanitized builds use a pthread mutex instead: ThreadSanitizer does not understand `Mutex`
/// on Linux and reports false races, and without optimization the types around a `Mutex` are looked up at each access.
///
/// The closure passed to `withLock` must not call user code: no closure, observer or disposable of a user may run in it, and no value of a
/// user may be released, compared or hashed in it (law 3). Debug builds count the locks that a thread holds and check that the count is
/// zero wherever user code is about to run (`LockProbe`).
@usableFromInline
@safe package struct Lock<State>: ~Copyable, @unchecked Sendable {
    // Sound by law 3 and the lock itself: the state is accessed only through `withLock`.
    #if DEBUG || THREAD_SANITIZER
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let state: UnsafeMutablePointer<State>

        /// Creates an unlocked lock around `state`.
        @usableFromInline
        package init(_ state: consuming sending State) {
            unsafe pthread_mutex_init(mutex, nil)
            unsafe self.state = .allocate(capacity: 1)
            unsafe self.state.initialize(to: state)
        }

        deinit {
            unsafe pthread_mutex_destroy(mutex)
            unsafe mutex.deallocate()
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }

        /// Runs `body` with exclusive access to the state.
        @usableFromInline
        package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            unsafe pthread_mutex_lock(mutex)
            LockProbe.enter()
            defer {
                LockProbe.leave()
                unsafe pthread_mutex_unlock(mutex)
            }
            return try unsafe body(&state.pointee)
        }
    #else
        @usableFromInline let mutex: Mutex<Unchecked>

        /// Passes state and results through `Mutex`, whose `sending` rules are stricter than the lock needs.
        @usableFromInline
        struct Unchecked: @unchecked Sendable {
            @usableFromInline var state: State

            @inlinable
            init(_ state: State) {
                self.state = state
            }
        }

        @usableFromInline
        struct Outcome<Result>: @unchecked Sendable {
            @usableFromInline let result: Result

            @inlinable
            init(_ result: Result) {
                self.result = result
            }
        }

        /// Creates an unlocked lock around `state`.
        @inlinable
        package init(_ state: consuming sending State) {
            mutex = Mutex(Unchecked(state))
        }

        /// Runs `body` with exclusive access to the state.
        @inlinable
        package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            try mutex.withLock { unchecked in
                LockProbe.enter()
                defer { LockProbe.leave() }
                return Outcome(try body(&unchecked.state))
            }.result
        }
    #endif
}

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
            unsafe pthread_key_create(&key, nil)
            return key
        }()

        /// The number of the package's locks that the current thread holds; always 0 in release builds.
        package private(set) static var held: Int {
            get { unsafe Int(bitPattern: pthread_getspecific(key)) }
            set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
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
