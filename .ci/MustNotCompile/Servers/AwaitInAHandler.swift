// A handler waits.
// error: cannot pass function of type '@Sendable (LoopbackServer.Request) async -> LoopbackServer.Response' to parameter expecting synchronous function type
import LoopbackServer
import Streams

private func load() async -> String { "" }

private func example() {
    #if MISTAKE
        _ = LoopbackServer(.get("/teas") { _ in .text(await load()) })
    #else
        _ = LoopbackServer(.stream("GET", "/teas") { _ in .fromAsync { .text(await load()) } })
    #endif
}
