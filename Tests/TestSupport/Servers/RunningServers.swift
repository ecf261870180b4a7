import LoopbackServer
import Streams
import Testing

/// Returns a server with these routes, on a port that the system chose. In a suite that is `.stopsServers` it runs until its test has
/// ended.
public func running(_ routes: LoopbackServer.Route...) throws -> LoopbackServer {
    try running(routes)
}

public func running(_ routes: [LoopbackServer.Route], limits: LoopbackServer.Limits = LoopbackServer.Limits()) throws -> LoopbackServer {
    let server = LoopbackServer(limits: limits)
    server.addRoutes(routes)
    try server.start()
    StopsServersTrait.atEnd { server.stop() }
    return server
}

extension LoopbackServer {
    /// Returns a slot that is filled when the next request arrives, to this path if you give one.
    public func arrival(at path: String? = nil) -> Slot<Bool> {
        let arrived = Slot<Bool>()
        _ = requests.filter { path == nil || $0.path == path }.take(1).subscribe(onNext: { _ in arrived.fill(true) })
        return arrived
    }

    /// Returns a slot that is filled when the next connection is closed.
    public func closing() -> Slot<ClosedConnection> {
        let closed = Slot<ClosedConnection>()
        _ = connectionClosed.take(1).subscribe(onNext: { closed.fill($0) })
        return closed
    }
}

/// Stops the servers of a test when the test has ended, in any way.
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

    /// Calls `stop` at the end of the running test, and never in a process that such a test has started.
    public static func atEnd(_ stop: @escaping @Sendable () -> Void) {
        (stops ?? outsideTests).list.withLock { $0.append(stop) }
    }

    /// Keeps servers that are started elsewhere until the process ends.
    private static let outsideTests = Stops()

    private final class Stops: Sendable {
        let list = Lock<[@Sendable () -> Void]>([])
    }
}

extension Trait where Self == StopsServersTrait {
    /// Stops the servers that `running(_:)` has started in each test.
    public static var stopsServers: Self { StopsServersTrait() }
}
