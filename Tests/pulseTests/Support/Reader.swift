import Foundation
import TerminalViews

/// Reads a descriptor on a thread of its own and lets others wait for what has come.
final class Reader: Sendable {
    // The condition guards all: every access below holds it.
    private nonisolated(unsafe) var bytes: [UInt8] = []
    private nonisolated(unsafe) var isAtEnd = false
    private let condition = NSCondition()

    private let descriptor: Int32
    private nonisolated(unsafe) var isClosing = false

    /// The descriptor becomes the reader's to close.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        Thread.detachNewThread { [self] in
            follow()
            Foundation.close(descriptor)
        }
    }

    /// Reads no more: the writer meets a closed pipe.
    func close() {
        condition.withLock { isClosing = true }
    }

    private func follow() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            guard poll(&waiting, 1, 20) > 0 else {
                if condition.withLock({ isClosing }) { return }
                continue
            }
            let count = read(descriptor, &buffer, buffer.count)
            let isOver = condition.withLock {
                if count > 0 { bytes += buffer.prefix(count) } else { isAtEnd = true }
                condition.broadcast()
                return isAtEnd || isClosing
            }
            if isOver { return }
        }
    }

    /// Waits until `isReached` says yes of all that was read; false where the time passed or the end came first.
    func wait(seconds: Double = 600, until isReached: @escaping @Sendable ([UInt8]) -> Bool) async -> Bool {
        await blocking { [self] in
            let deadline = Date(timeIntervalSinceNow: seconds)
            condition.lock()
            defer { condition.unlock() }
            while !isReached(bytes) {
                if isAtEnd || !condition.wait(until: deadline) { return isReached(bytes) }
            }
            return true
        }
    }

    /// Everything up to the end.
    func all(seconds: Double = 600) async -> String {
        await blocking { [self] in
            let deadline = Date(timeIntervalSinceNow: seconds)
            condition.lock()
            defer { condition.unlock() }
            while !isAtEnd, condition.wait(until: deadline) {}
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    var text: String {
        condition.withLock { String(decoding: bytes, as: UTF8.self) }
    }
}
