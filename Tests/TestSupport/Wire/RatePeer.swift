import Foundation
import NetNodes
import Synchronization
import WebSocketFrames

/// The peer of a measurement: a blocking socket in a thread of its own, for one connection.
public final class RatePeer: Sendable {
    public struct Failed: Error, LocalizedError {
        public init() {}
        public var errorDescription: String? { "a message was lost" }
    }

    private let listener: LoopbackListener
    private let done: DispatchSemaphore
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let isSuccess = Mutex(false)
    }

    /// - Parameter work: returns whether it received, or sent, all bytes.
    public init(_ work: @escaping @Sendable (LoopbackConnection) -> Bool) throws {
        let (done, outcome) = (DispatchSemaphore(value: 0), Outcome())
        (self.done, self.outcome) = (done, outcome)
        listener = try LoopbackListener { _, connection in
            let isSuccess = work(connection)
            outcome.isSuccess.withLock { $0 = isSuccess }
            done.signal()
            // This waits until the client closes, or the peer is released.
            while connection.read() != nil {}
        }
    }

    deinit { listener.close() }

    public var port: Int { listener.port }
    public var endpoint: SocketConnection.Endpoint { SocketConnection.Endpoint(host: "127.0.0.1", port: port) }
    public var handshake: HTTPRequest { HTTPRequest(.get, URL(string: "ws://127.0.0.1:\(port)/") ?? URL(filePath: "/")) }

    /// Waits until the work is done.
    public func wait() throws {
        done.wait()
        guard outcome.isSuccess.withLock({ $0 }) else { throw Failed() }
    }
}

/// WebSockets without a parser: frames of one size are a known number of bytes.
extension RatePeer {
    /// Accepts a handshake, and then does the work.
    public static func acceptingWebSockets(_ work: @escaping @Sendable (LoopbackConnection) -> Bool) throws -> RatePeer {
        try RatePeer { connection in
            guard let request = connection.read(until: "\r\n\r\n") else { return false }
            let field = request.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") } ?? ""
            let key = field.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            connection.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(WebSocketKey.accept(key))\r\n\r\n")
            return work(connection)
        }
    }

    public static func sendingMessages(_ count: Int, _ size: Int) throws -> RatePeer {
        let frame = WebSocketFrame.bytes(.binary(Data(repeating: 0x78, count: size)))
        let batch = 65_536 / frame.count
        let frames = Array(repeatElement(frame, count: batch).joined())
        return try acceptingWebSockets { connection in
            connection.write(frames, times: count / batch) && connection.write(Array(frames.prefix(count % batch * frame.count)))
        }
    }

    /// Answers each message of a size with another one, without inspecting it.
    public static func echoingMessages(_ size: Int) throws -> RatePeer {
        let frame = WebSocketFrame.bytes(.binary(Data(repeating: 0x78, count: size)))
        return try acceptingWebSockets { connection in
            while connection.discard(maskedSize(size)) { connection.write(frame) }
            return true
        }
    }

    /// The length of a client's frame with a message of a size below 64 KB.
    public static func maskedSize(_ size: Int) -> Int { size + (size < 126 ? 6 : 8) }
}

extension LoopbackConnection {
    public func write(_ bytes: [UInt8], times: Int) -> Bool {
        for _ in 0..<times where !write(bytes) { return false }
        return true
    }

    /// Sends all bytes back until the peer closes.
    public func echo() -> Bool {
        while let bytes = read(limit: 4_096) { write(bytes) }
        return true
    }
}
