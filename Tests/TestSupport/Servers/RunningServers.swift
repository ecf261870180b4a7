import LoopbackServer
import Streams
import Testing

/// A server with these routes, on a port that the system chose. In a suite that is `.stopsServers` it runs until its test has ended.
public func running(_ routes: ServerRoute...) throws -> LoopbackServer {
    try running(routes)
}

public func running(_ routes: [ServerRoute], limits: ServerLimits = ServerLimits()) throws -> LoopbackServer {
    let server = LoopbackServer(limits: limits)
    server.addRoutes(routes)
    try server.start()
    StopsServersTrait.atEnd { server.stop() }
    return server
}

extension LoopbackServer {
    /// Filled when the next request comes, to this path if one is given.
    public func arrival(at path: String? = nil) -> Slot<Bool> {
        let arrived = Slot<Bool>()
        _ = requests.filter { path == nil || $0.path == path }.take(1).subscribe(onNext: { _ in arrived.fill(true) })
        return arrived
    }

    /// Filled when the next connection is closed.
    public func closing() -> Slot<ClosedConnection> {
        let closed = Slot<ClosedConnection>()
        _ = connectionClosed.take(1).subscribe(onNext: { closed.fill($0) })
        return closed
    }
}

/// Stops the servers of a test when it has ended, however it ends.
public struct StopsServersTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal private static var stops: Stops?

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let stops = Stops()
        defer { for stop in stops.list.withLock({ $0 }) { stop() } }
        try await Self.$stops.withValue(stops) { try await function() }
    }

    /// Has `stop` called at the end of the test that runs; never in a process that such a test has started.
    public static func atEnd(_ stop: @escaping @Sendable () -> Void) {
        (stops ?? outsideTests).list.withLock { $0.append(stop) }
    }

    /// Keeps what is started elsewhere until the process ends.
    private static let outsideTests = Stops()

    private final class Stops: Sendable {
        let list = Lock<[@Sendable () -> Void]>([])
    }
}

extension Trait where Self == StopsServersTrait {
    /// Stops what `running(_:)` has started in each test.
    public static var stopsServers: Self { StopsServersTrait() }
}
