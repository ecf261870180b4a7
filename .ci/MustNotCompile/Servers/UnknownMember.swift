// A request has no such member.
// error: value of type 'LoopbackServer.Request' has no member 'params'
import LoopbackServer

private func example() {
    #if MISTAKE
        _ = LoopbackServer(
            .get("/teas/:name") { request in
                let name = request.params["name"] ?? ""  // <-
                return .text(name)
            },
            .post("/teas") { _ in .empty(201) }
        )
    #else
        _ = LoopbackServer(
            .get("/teas/:name") { request in
                let name = request.parameters["name"] ?? ""
                return .text(name)
            },
            .post("/teas") { _ in .empty(201) }
        )
    #endif
}
