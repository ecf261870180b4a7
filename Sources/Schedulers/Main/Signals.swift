@preconcurrency import Dispatch
import Foundation

/// The signals that somebody listens to: what the process did with each before is remembered and put back.
///
/// A handler writes the signal's number into a pipe, which the main loop reads. Dispatch's own signal sources are no use here: on Linux
/// a signal that comes before they are set up is lost, and their handler blocks **all** signals of the thread that it ran on for good.
enum Signals {
    private struct State {
        var listeners: [Int32: [Int: @MainActor @Sendable () -> Void]] = [:]
        var previous: [Int32: Disposition] = [:]
        var nextKey = 0
    }

    private typealias Disposition = @convention(c) (Int32) -> Void

    private static let state = Lock(State())

    /// Where the handler writes. A handler may not wait for a lock, so it reads this without one: it is set once, before any handler is
    /// installed (law 3 has no part in it).
    nonisolated(unsafe) private static var inlet: Int32 = -1

    /// Reads the numbers on the main loop, for as long as the process lives.
    private static let outlet: any DispatchSourceRead = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { preconditionFailure("no pipe for signals: \(String(cString: strerror(errno)))") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        inlet = ends[1]
        let source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .main)
        source.setEventHandler { [outlet = ends[0]] in readNumbers(from: outlet) }
        source.activate()
        return source
    }()

    static func add(_ number: Int32, _ listener: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
        withExtendedLifetime(outlet) {}
        let key = state.withLock { state in
            let key = state.nextKey
            state.nextKey += 1
            if state.listeners[number, default: [:]].isEmpty {
                state.previous[number] = signal(number, note)
            }
            state.listeners[number, default: [:]][key] = listener
            return key
        }
        unblock(number)
        return Disposables.create { remove(key, of: number) }
    }

    private static func remove(_ key: Int, of number: Int32) {
        // Released after the lock is left: the closure holds a user's values.
        _ = state.withLock { state in
            let listener = state.listeners[number]?.removeValue(forKey: key)
            if state.listeners[number]?.isEmpty == true {
                state.listeners[number] = nil
                signal(number, state.previous.removeValue(forKey: number) ?? SIG_DFL)
            }
            return listener
        }
    }

    /// The handler: nothing but a write to a pipe is allowed in one.
    private static let note: Disposition = { number in
        let before = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(inlet, &byte, 1)
        errno = before
    }

    /// A process that was started from one of Dispatch's threads inherits that all signals are blocked.
    private static func unblock(_ number: Int32) {
        var numbers = sigset_t()
        sigemptyset(&numbers)
        sigaddset(&numbers, number)
        pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }

    private static func readNumbers(from outlet: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(outlet, &bytes, bytes.count)
            guard count > 0 else { return }
            for byte in bytes.prefix(count) { notify(Int32(byte)) }
        }
    }

    /// Calls those who listen, in the order in which they came; one that is disposed meanwhile is spared.
    private static func notify(_ number: Int32) {
        for key in state.withLock({ $0.listeners[number]?.keys.sorted() }) ?? [] {
            guard let listener = state.withLock({ $0.listeners[number]?[key] }) else { continue }
            MainScheduler.runOnMainActor(listener)
        }
    }
}
