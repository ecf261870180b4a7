import Foundation
import Streams

/// A Unix socket that answers each request with bytes of the test's own, in a thread.
final class SnapshotServer: Sendable {
    let path: String
    private let listener: Int32
    private let isStopped = Lock(false)

    /// - Parameter respond: gets the request and its connection, which is closed afterwards.
    init(at path: String, respond: @escaping @Sendable (_ request: String, _ connection: Int32) -> Void) throws {
        self.path = path
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
        }
        guard isBound, listen(listener, 16) == 0 else { throw CocoaError(.fileWriteUnknown) }
        Thread.detachNewThread { Self.serve(listener, respond) }
    }

    /// Answers with these texts, one after another; the last one again and again.
    convenience init(at path: String, answers: [String]) throws {
        let number = Lock(0)
        try self.init(at: path) { _, connection in
            let next = number.withLock { number in
                defer { number += 1 }
                return number
            }
            Self.send(Array(answers[min(next, answers.count - 1)].utf8), to: connection)
        }
    }

    deinit { stop() }

    /// Removes the socket, as a process that ends.
    func stop() {
        // Its thread closes the listener, whose number is then another's.
        guard
            isStopped.withLock({ isStopped in
                defer { isStopped = true }
                return !isStopped
            })
        else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        unlink(path)
    }

    static func send(_ bytes: [UInt8], to connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    private static func serve(_ listener: Int32, _ respond: (String, Int32) -> Void) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let count = max(0, recv(connection, &buffer, buffer.count, 0))
            // Who only looks whether the socket is served asks nothing.
            if count > 0 { respond(String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .newlines), connection) }
            close(connection)
        }
        close(listener)
    }
}
