import Dispatch
import Foundation
import Synchronization

/// Determines whether the caller is on the main loop.
///
/// The caller is on the main loop on the process's main thread (a comparison of thread ids, some 5 ns), and on the thread that currently
/// runs the main queue: under an async `main` and under the test runner that is another thread.
enum MainThread {
    private static let known = Atomic<UInt>(0)
    fileprivate static let queueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool {
        if let simulated = SimulatedSystem.current { return simulated.isOnMainLoop() }
        #if canImport(Darwin)
            let current = UInt(bitPattern: pthread_self())
        #else
            let current = UInt(pthread_self())
        #endif
        if known.load(ordering: .relaxed) == current { return true }
        if Thread.isMainThread {
            known.store(current, ordering: .relaxed)
            return true
        }
        return DispatchQueue.getSpecific(key: queueKey) ?? false
    }
}

extension DispatchQueue {
    /// Whether this is the main queue. On Linux each `DispatchQueue.main` is another object, so `===` cannot be used.
    package var isMain: Bool { getSpecific(key: MainThread.queueKey) ?? false }
}
