#if THREAD_SANITIZER
    import Foundation
#else
    import Synchronization
#endif

/// The one lock of the package: state that only one thread at a time can reach.
///
/// It is a `Mutex` in ordinary builds. ThreadSanitizer does not understand `Mutex` on Linux and reports races that are none, so builds
/// with `-DTHREAD_SANITIZER` use a pthread mutex, which it does understand.
///
/// The closure given to `withLock` must not call out: no user's closure, observer or disposable runs in it and no user's value is
/// released, compared or hashed in it (law 3). Debug builds count the locks that a thread holds, and whatever delivers to a user
/// checks that the count is zero (`LockProbe`).
@usableFromInline
package struct Lock<State>: ~Copyable, @unchecked Sendable {
    // Law 3 and the lock itself make the unchecked conformance sound: the state is reached only through `withLock`.
    #if THREAD_SANITIZER
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let state: UnsafeMutablePointer<State>

        /// Makes an unlocked lock around `state`.
        @usableFromInline
        package init(_ state: consuming sending State) {
            pthread_mutex_init(mutex, nil)
            self.state = .allocate(capacity: 1)
            self.state.initialize(to: state)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
            state.deinitialize(count: 1)
            state.deallocate()
        }

        /// Runs `body` with the state while no other thread has it.
        @usableFromInline
        package borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
            pthread_mutex_lock(mutex)
            LockProbe.enter()
            defer {
                LockProbe.leave()
                pthread_mutex_unlock(mutex)
            }
            return try body(&state.pointee)
        }
    #else
        @usableFromInline let mutex: Mutex<Unchecked>

        /// Lets state and results pass through `Mutex`, whose own rules on `sending` are stricter than the lock needs.
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

        /// Makes an unlocked lock around `state`.
        @inlinable
        package init(_ state: consuming sending State) {
            mutex = Mutex(Unchecked(state))
        }

        /// Runs `body` with the state while no other thread has it.
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
