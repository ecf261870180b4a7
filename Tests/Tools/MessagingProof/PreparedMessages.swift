import Foundation
import TestSupport

/// Messages whose bytes are made before they are needed, and are sent and received without being looked at: what the server can take.
struct PreparedMessages {
    private let size: Int
    private let subjects: [String]
    /// Whole commands, of at least 64 KB.
    private let piece: [UInt8]
    private let messagesInPiece: Int

    init(_ size: Int, to subjects: [String]) {
        self.size = size
        self.subjects = subjects
        let payload = [UInt8](repeating: 0x78, count: size)
        var (piece, count): ([UInt8], Int) = ([], 0)
        while piece.count < 65_536 || count % subjects.count != 0 {
            piece += "PUB \(subjects[count % subjects.count]) \(size)\r\n".utf8
            piece += payload
            piece += "\r\n".utf8
            count += 1
        }
        (self.piece, messagesInPiece) = (piece, count)
    }

    /// Publishes until the server has received everything.
    func publish(_ messages: Int, to port: Int) throws -> Load {
        let connection = try Self.connect(to: port)
        defer { connection.close() }
        let rest = beginning(of: messages % messagesInPiece)
        return try Load.measureThread(messages) {
            for _ in 0..<(messages / messagesInPiece) { connection.write(piece) }
            connection.write(rest + Array("PING\r\n".utf8))
            guard connection.read(until: "PONG") != nil else { throw LoadError.incomplete }
        }
    }

    /// Receives on a socket what another publishes.
    func receive(_ messages: Int, from port: Int) throws -> Load {
        let connection = try Self.connect(to: port)
        defer { connection.close() }
        connection.write("SUB \(subjects[0]) 1\r\nPING\r\n")
        guard connection.read(until: "PONG") != nil else { throw LoadError.notConnected }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? publish(messages, to: port)
            done.signal()
        }
        defer { done.wait() }
        let total = messages * ("MSG \(subjects[0]) 1 \(size)\r\n\r\n".utf8.count + size)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        return try Load.measureThread(messages) {
            var received = 0
            while received < total {
                let count = connection.read(into: buffer)
                guard count > 0 else { throw LoadError.incomplete }
                received += count
            }
        }
    }

    private func beginning(of count: Int) -> [UInt8] {
        var position = 0
        for number in 0..<count { position += "PUB \(subjects[number % subjects.count]) \(size)\r\n\r\n".utf8.count + size }
        return Array(piece[..<position])
    }

    private static func connect(to port: Int) throws -> LoopbackConnection {
        guard let connection = LoopbackConnection.connect(to: port) else { throw LoadError.notConnected }
        connection.write("CONNECT {\"verbose\":false}\r\nPING\r\n")
        guard connection.read(until: "PONG") != nil else { throw LoadError.notConnected }
        return connection
    }
}
