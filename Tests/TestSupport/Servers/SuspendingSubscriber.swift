import Dispatch
import Foundation
import SocketNodes
import Streams
import Synchronization

/// Subscribes to a stream, suspends its source, and counts what arrives.
public final class SuspendingSubscriber<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var sinceResumption = 0
        var most = 0
    }

    private let gate = Gate()
    private let state = Lock(State())
    private let first = Slot<Bool>()
    private let suspended = Slot<Bool>()
    private let ended = Slot<Bool>()
    private let failure = Slot<any Error>()
    private let counting = ResourceCounting()

    /// - Parameters:
    ///   - isSuspended: whether the source is suspended from the beginning.
    ///   - queue: where a source that an element has suspended is resumed; `nil` if it is not.
    ///   - mustSuspend: whether an element suspends the source.
    public init(
        to source: some ObservableConvertibleType<Element>, isSuspended: Bool = false, resumingOn queue: DispatchQueue? = nil,
        suspendingAt mustSuspend: @escaping @Sendable (Element) -> Bool = { _ in false }
    ) {
        if isSuspended { gate.suspend() }
        source.asObservable().subscribe(in: gate) { [self] event in
            switch event {
            case .next(let element):
                state.withLock { state in
                    state.elements.append(element)
                    state.sinceResumption += 1
                    state.most = max(state.most, state.sinceResumption)
                }
                if mustSuspend(element) {
                    gate.suspend()
                    suspended.fill(true)
                    queue?.async { self.resume() }
                }
                first.fill(true)
            case .error(let error):
                failure.fill(error)
                ended.fill(false)
            case .completed: ended.fill(true)
            }
        }
    }

    /// A subscriber that is suspended at each element, and resumed by another thread.
    public static func suspendedAlways(to source: some ObservableConvertibleType<Element>) -> SuspendingSubscriber {
        // Not a global queue, whose threads the tests may occupy.
        SuspendingSubscriber(to: source, resumingOn: DispatchQueue(label: "SuspendingSubscriber", qos: .userInitiated)) { _ in true }
    }

    public var elements: [Element] { state.withLock { $0.elements } }
    /// The most elements without a resumption between them.
    public var mostAtOnce: Int { state.withLock { $0.most } }
    public var error: (any Error)? { failure.wait(0) }

    public func resume() {
        state.withLock { $0.sinceResumption = 0 }
        counting { gate.resume().perform() }
    }

    /// Whether an element has arrived.
    public func begins() -> Bool { first.wait() == true }

    /// Whether an element has suspended the source.
    public func suspends() -> Bool { suspended.wait() == true }

    /// Whether it has completed; `nil` if it has not ended within the time.
    public func completes(within limit: TimeInterval = 300) -> Bool? { ended.wait(limit) }

    public func dispose() { gate.dispose() }
}

/// Waits until a number does not change for a while, however long it takes until then, and returns it.
public func settled(_ number: () -> Int) -> Int {
    var last = -1
    while case let next = number(), next != last {
        last = next
        _ = Slot<Bool>().wait(0.3)
    }
    return last
}

/// A server that sends as much as it can, and counts what the system has accepted.
public struct EagerServer {
    public let server: ScriptedServer
    private let count: Atomic<Int>.Reference

    /// - Parameters:
    ///   - greet: what precedes the blocks.
    public init(sending block: [UInt8], times: Int, after greet: @escaping @Sendable (Connection) -> Void = { _ in }) throws {
        let count = Atomic<Int>.Reference(0)
        self.count = count
        server = try ScriptedServer { connection in
            greet(connection)
            for _ in 0..<times {
                connection.send(block)
                count.value.add(block.count, ordering: .relaxed)
            }
            _ = connection.waitForClose()
        }
    }

    /// One that responds with so many bytes, the same block again and again.
    public static func responding(
        with block: [UInt8], times: Int, type: String = "text/plain"
    ) throws -> EagerServer {
        try EagerServer(sending: block, times: times) { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(times * block.count)\r\n\r\n")
        }
    }

    /// How many bytes it has sent.
    public var sent: Int { count.value.load(ordering: .relaxed) }
}

extension Atomic<Int> {
    /// A number that several threads may share.
    public final class Reference: Sendable {
        public let value: Atomic<Int>

        public init(_ value: Int) {
            self.value = Atomic(value)
        }
    }
}
