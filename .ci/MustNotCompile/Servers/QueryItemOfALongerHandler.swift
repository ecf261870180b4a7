// The same in a handler of several lines.
// error: value of type '@Sendable (String) -> String?' has no subscripts
import LoopbackServer

private func example() {
    #if MISTAKE
        LoopbackServer().add(
            .get("/teas") { request in
                let sort = request.query["sort"] ?? "name"  // <-
                return .text(sort)
            })
    #else
        LoopbackServer().add(
            .get("/teas") { request in
                let sort = request.query("sort") ?? "name"
                return .text(sort)
            })
    #endif
}
