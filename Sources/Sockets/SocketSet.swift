internal import CStreamsSystem
import Foundation
package import Schedulers

/// A set of sockets that the system watches (epoll or kqueue). A socket is removed automatically when it is closed.
///
/// The set is confined to the thread that waits on it.
package final class SocketSet {
    /// The kinds of readiness that a socket waits for, or has.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: Int32
        // Unspecialized code of the standard library would assemble a literal of several, or of none, at each use.
        package static let read = Interest(rawValue: 1)
        package static let write = Interest(rawValue: 2)
        package static let readAndWrite = Interest(rawValue: 3)

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    private static let batchSize = 64

    /// The set's own descriptor, which is ready to read when one of its sockets is ready.
    package let descriptor: Int32
    private let waker: Waker?
    private let events = UnsafeMutableBufferPointer<SystemEvent>.allocate(capacity: batchSize)

    /// Creates a set; returns `nil` if the process has no file descriptor left.
    ///
    /// - Parameter waker: ends the wait of the thread, and is not reported.
    package init?(wokenBy waker: Waker? = nil) {
        descriptor = SocketSet.makeSet()
        self.waker = waker
        guard descriptor >= 0 else { return nil }
        guard let waker, !watch(waker) else { return }
        SocketSet.close(descriptor)
        return nil
    }

    deinit { events.deallocate() }

    /// Closes the set; the sockets belong to their owners.
    package static func close(_ descriptor: Int32) {
        Foundation.close(descriptor)
    }
}

#if canImport(Darwin)
    private typealias SystemEvent = kevent

    extension SocketSet {
        private static func makeSet() -> Int32 {
            kqueue()
        }

        private func watch(_ waker: Waker) -> Bool {
            watch(waker.outlet, for: .read)
            return true
        }

        /// Watches the socket for exactly this interest from now on; stops watching it if the interest is empty.
        ///
        /// - Parameter isNew: whether it is known not to be watched.
        package func watch(_ socket: Int32, for interest: Interest, isNew: Bool = false) {
            change(socket, EVFILT_READ, isWanted: interest.contains(.read))
            change(socket, EVFILT_WRITE, isWanted: interest.contains(.write))
        }

        private func change(_ socket: Int32, _ filter: Int32, isWanted: Bool) {
            var event = kevent(
                ident: UInt(socket), filter: Int16(filter), flags: UInt16(isWanted ? EV_ADD : EV_DELETE), fflags: 0, data: 0, udata: nil)
            _ = kevent(descriptor, &event, 1, nil, 0, nil)
        }

        /// Calls `action` with each ready socket and the kind of its readiness. Waits at most `nanoseconds` for one; `nil` waits
        /// indefinitely.
        package func wait(nanoseconds: UInt64?, _ action: (Int32, Interest) -> Void) {
            let rest = Int(clamping: nanoseconds ?? 0)
            var limit = timespec(tv_sec: rest / 1_000_000_000, tv_nsec: rest % 1_000_000_000)
            let count = withUnsafePointer(to: &limit) {
                kevent(descriptor, nil, 0, events.baseAddress, Int32(events.count), nanoseconds == nil ? nil : $0)
            }
            for index in 0..<Int(max(0, count)) {
                let socket = Int32(events[index].ident)
                if let waker, socket == waker.outlet {
                    waker.clear()
                    continue
                }
                action(socket, events[index].filter == EVFILT_READ ? .read : .write)
            }
        }
    }
#else
    private typealias SystemEvent = epoll_event

    extension SocketSet {
        private static func makeSet() -> Int32 {
            epoll_create1(Int32(EPOLL_CLOEXEC))
        }

        /// Each change of the waker's counter is reported, so that it is never read: a wake-up is one system call.
        private func watch(_ waker: Waker) -> Bool {
            var event = epoll_event()
            event.events = EPOLLIN.rawValue | EPOLLET.rawValue
            event.data.fd = waker.outlet
            return epoll_ctl(descriptor, EPOLL_CTL_ADD, waker.outlet, &event) == 0
        }

        /// Watches the socket for exactly this interest from now on; stops watching it if the interest is empty.
        ///
        /// - Parameter isNew: whether it is known not to be watched.
        package func watch(_ socket: Int32, for interest: Interest, isNew: Bool = false) {
            guard !interest.isEmpty else {
                epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
                return
            }
            var event = epoll_event()
            event.events = (interest.contains(.read) ? EPOLLIN.rawValue : 0) | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
            event.data.fd = socket
            if isNew, epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 { return }
            if epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event) != 0, errno == ENOENT {
                epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
            }
        }

        /// Calls `action` with each ready socket and the kind of its readiness. Waits at most `nanoseconds` for one; `nil` waits
        /// indefinitely. A broken socket is ready for everything.
        package func wait(nanoseconds: UInt64?, _ action: (Int32, Interest) -> Void) {
            let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds(awaiting: nanoseconds))
            let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue
            for index in 0..<Int(max(0, count)) {
                let event = events[index]
                guard event.data.fd != waker?.outlet else { continue }
                var interest = Interest(rawValue: 0)
                if event.events & (EPOLLIN.rawValue | broken) != 0 { interest.insert(.read) }
                if event.events & (EPOLLOUT.rawValue | broken) != 0 { interest.insert(.write) }
                action(event.data.fd, interest)
            }
        }

        /// Returns the time that epoll should wait. It knows only whole milliseconds; the wait for a shorter time happens here.
        private func milliseconds(awaiting nanoseconds: UInt64?) -> Int32 {
            guard let nanoseconds else { return -1 }
            guard nanoseconds > 0, nanoseconds < 1_000_000 else {
                return Int32(clamping: nanoseconds.addingReportingOverflow(999_999).partialValue / 1_000_000)
            }
            streams_wait_readable(descriptor, Int(nanoseconds))
            return 0
        }
    }
#endif
