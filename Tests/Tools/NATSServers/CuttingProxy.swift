import Dispatch
import Foundation

/// Forwards connections to a server, and cuts each after a number of bytes, wherever that is in the protocol.
public final class CuttingProxy: @unchecked Sendable {
    /// After how many bytes, in both directions together, a connection is cut; `nil` for never.
    public typealias Plan = @Sendable (_ connection: Int) -> Int?

    private final class Budget: @unchecked Sendable {
        private let lock = NSLock()
        // Sound: accessed under the lock.
        private var left: Int

        init(_ left: Int?) {
            self.left = left ?? .max
        }

        /// Takes as many of the bytes as are left.
        func take(_ count: Int) -> Int {
            lock.lock()
            defer { lock.unlock() }
            let taken = min(count, left)
            if left != .max { left -= taken }
            return taken
        }
    }

    private let listener: LoopbackListener

    public var port: Int { listener.port }
    public var url: String { "nats://127.0.0.1:\(port)" }

    public init(to target: Int, _ plan: @escaping Plan) throws {
        listener = try LoopbackListener { number, client in
            guard let server = LoopbackConnection.connect(to: target) else { return client.reset() }
            let budget = Budget(plan(number))
            let answers = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.forward(from: server, to: client, budget)
                answers.signal()
            }
            Self.forward(from: client, to: server, budget)
            // Otherwise the other thread could write to the next connection with the number of a closed socket.
            answers.wait()
            server.close()
        }
    }

    public func close() { listener.close() }

    private static func forward(from source: LoopbackConnection, to target: LoopbackConnection, _ budget: Budget) {
        while let bytes = source.read() {
            let count = budget.take(bytes.count)
            guard target.write(Array(bytes[..<count])), count == bytes.count else { break }
        }
        source.interrupt()
        target.interrupt()
    }
}
