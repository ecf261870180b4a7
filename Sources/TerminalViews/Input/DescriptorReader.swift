import Dispatch
import Foundation

/// Reads a descriptor on a thread of its own and passes the bytes to the main actor. It reads no further until they have been handled: fast
/// input (a paste, `yes`) stays in the kernel's buffer.
///
/// Uses a thread with `poll` rather than a Dispatch source: it works with every kind of descriptor, including `/dev/null` and files, and
/// the caller may close the descriptor at any time.
///
/// Source: [poll(2)](https://man7.org/linux/man-pages/man2/poll.2.html).
final class DescriptorReader: Sendable {
    /// Waking it terminates the thread.
    private let waker: Waker
    private let isStopped = Lock(false)
    private let taken = DispatchSemaphore(value: 0)

    /// `receive` is called with the bytes of each read, and once with an empty array at the end of the input.
    init(_ descriptor: Int32, receive: @escaping @MainActor @Sendable ([UInt8]) -> Void) throws(Keyboard.Failure) {
        guard let waker = Waker() else { throw Keyboard.Failure(Waker.creation) }
        let own = PrivateDescriptors.copy(of: descriptor)
        guard own >= 0 else { throw Keyboard.Failure("dup") }
        self.waker = waker
        let error = SystemThread.start(named: "streams.keys") { [taken] in
            Self.follow(own, until: waker) { bytes in
                // Not through Dispatch itself, which ends a process that has no descriptors left for its main queue.
                _ = MainScheduler.asyncInstance.schedule {
                    MainScheduler.runOnMainActor { receive(bytes) }
                    taken.signal()
                }
                taken.wait()
            }
            close(own)
        }
        guard error == 0 else {
            close(own)
            throw Keyboard.Failure("pthread_create", code: error)
        }
    }

    deinit {
        stop()
    }

    /// Stops reading. Idempotent.
    func stop() {
        guard !isStopped.withLock({ $0.exchange(true) }) else { return }
        waker.wake()
        taken.signal()
    }

    private static func follow(_ input: Int32, until waker: Waker, _ hand: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .ready(let ready) = waker.wait(reading: [input]) {
            guard !ready.isEmpty else { continue }
            let count = read(input, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            hand(Array(buffer.prefix(max(0, count))))
            guard count > 0 else { return }
        }
    }
}

extension Bool {
    /// Sets a new value and returns the previous one.
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}
