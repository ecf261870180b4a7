import Dispatch
import Foundation
import Synchronization

/// Forwards connections to a server, and cuts each after a number of bytes, at any place in the protocol.
public final class CuttingProxy: @unchecked Sendable {
    /// Returns the number of bytes, in both directions together, after which a connection is cut; `nil` means never.
    public typealias Plan = @Sendable (_ connection: Int) -> Int?

    /// The way in which a connection is cut.
    public enum Cut: Sendable {
        /// The connection is closed.
        case closing
        /// The connection stays open, and nothing more is forwarded.
        case silence
    }

    private final class Budget: @unchecked Sendable {
        private let lock = NSLock()
        // Sound: accessed under the lock.
        private var left: Int

        init(_ left: Int?) {
            self.left = left ?? .max
        }

        /// Takes as many of the bytes as remain, and returns their number.
        func take(_ count: Int) -> Int {
            lock.lock()
            defer { lock.unlock() }
            let taken = min(count, left)
            if left != .max { left -= taken }
            return taken
        }
    }

    private let listener: LoopbackListener
    private let total: Total

    /// The bytes of all connections.
    private final class Total: Sendable {
        let bytes = Atomic(0)
    }

    public var port: Int { listener.port }
    public var url: String { "nats://127.0.0.1:\(port)" }
    /// The number of bytes that the proxy has forwarded, in both directions.
    public var forwarded: Int { total.bytes.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - pieceSize: the maximum number of bytes that are written at a time.
    public init(to target: Int, _ cut: Cut = .closing, pieceSize: Int = .max, _ plan: @escaping Plan) throws {
        let total = Total()
        self.total = total
        listener = try LoopbackListener { number, client in
            guard let server = LoopbackConnection.connect(to: target) else { return client.reset() }
            let budget = Budget(plan(number))
            let forward = { @Sendable (source: LoopbackConnection, target: LoopbackConnection) in
                while let bytes = source.read() {
                    let count = budget.take(bytes.count)
                    total.bytes.add(count, ordering: .relaxed)
                    guard Self.write(bytes[..<count], to: target, pieceSize), count == bytes.count || cut == .silence else { break }
                }
                source.interrupt()
                target.interrupt()
            }
            let answers = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                forward(server, client)
                answers.signal()
            }
            forward(client, server)
            // Otherwise the other thread could write to the next connection with the number of a closed socket.
            answers.wait()
            server.close()
        }
    }

    public func close() { listener.close() }

    private static func write(_ bytes: ArraySlice<UInt8>, to target: LoopbackConnection, _ pieceSize: Int) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard target.write(Array(rest.prefix(pieceSize))) else { return false }
            rest = rest.dropFirst(pieceSize)
        }
        return true
    }
}
