import LoopbackServer
@_exported import TestSupport
import TestSupport

/// A client of a server with these routes.
func connected(to routes: LoopbackServer.Route...) throws -> WireClient {
    try WireClient(port: running(routes).port)
}
