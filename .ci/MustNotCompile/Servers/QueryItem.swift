// A query item is read like a member of a dictionary.
// error: value of type '@Sendable (String) -> String?' has no subscripts
import LoopbackServer

private func example() {
    #if MISTAKE
        _ = LoopbackServer(
            .get("/health") { _ in .text("up") },
            .get("/teas") { request in .text(request.query["sort"] ?? "name") }  // <-
        )
    #else
        _ = LoopbackServer(
            .get("/health") { _ in .text("up") },
            .get("/teas") { request in .text(request.query("sort") ?? "name") }
        )
    #endif
}
