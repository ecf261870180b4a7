internal import CStreamsSystem
import Dispatch
import Foundation
import Synchronization

/// Descriptors that child processes do not inherit, not even those that another thread starts meanwhile: a child with the end of a pipe or
/// a connection would keep it open.
package enum PrivateDescriptors {
    /// Returns the ends of a new pipe; returns `nil` and sets `errno` if there is none.
    package static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        errno = unsafe streams_pipe(&ends)
        return errno == 0 ? (ends[0], ends[1]) : nil
    }

    /// Returns another descriptor of the same file; returns -1 and sets `errno` if there is none.
    package static func copy(of descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    /// Returns the socket of a waiting connection; returns -1 and sets `errno` if there is none.
    package static func accept(_ listener: Int32) -> Int32 {
        streams_accept(listener)
    }

    /// Returns a new socket; returns -1 and sets `errno` if there is none.
    package static func socket(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
        #if os(Linux)
            Foundation.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
        #else
            let descriptor = Foundation.socket(family, type, number)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        #endif
    }
}

/// The descriptors that Dispatch opens for itself on Linux: an epoll set, an eventfd and a timerfd.
///
/// Dispatch opens them when it is first used. It ends the process if there is none left for the first two, and fires no timer without the
/// third. So the main loop, signals and servers open them first, once they know that there are enough, and that a thread can be started:
/// the call for which Dispatch starts its first thread blocks until it can.
package enum DispatchDescriptors {
    /// The number of descriptors that must be free: more than Dispatch opens, because other threads open some meanwhile.
    private static let count = 8
    private static let areOpen = Atomic(false)
    private static let opening = Lock(())

    /// Opens the descriptors unless they are open; returns whether they are. Blocks until Dispatch has them, once in a process.
    package static func open() -> Bool {
        #if os(Linux)
            guard !areOpen.load(ordering: .acquiring) else { return true }
            return opening.withLock { _ in
                guard !areOpen.load(ordering: .acquiring) else { return true }
                guard areFree(count), SystemThread.start(named: "streams.probe", {}) == 0 else { return false }
                fireOnce()
                areOpen.store(true, ordering: .releasing)
                return true
            }
        #else
            return true
        #endif
    }

    /// Whether the process can open this many more.
    static func areFree(_ count: Int) -> Bool {
        let descriptors = (0..<count).map { _ in unsafe Foundation.open("/", O_RDONLY | O_CLOEXEC) }
        for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
        return descriptors.allSatisfy { $0 >= 0 }
    }

    /// Fires a timer once: Dispatch opens the last descriptor on a thread of its own.
    private static func fireOnce() {
        let fired = DispatchSemaphore(value: 0)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "streams.descriptors"))
        timer.setEventHandler { fired.signal() }
        timer.schedule(deadline: .now())
        timer.activate()
        _ = fired.wait(timeout: .now() + .seconds(1))
        timer.cancel()
    }
}
