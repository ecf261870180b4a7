import LoopbackServer

/// A server with these routes, on a port that the system chose.
func running(_ routes: ServerRoute...) throws -> LoopbackServer {
    let server = LoopbackServer(routes: routes)
    try server.start()
    return server
}
