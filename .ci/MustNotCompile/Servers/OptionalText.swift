// A query item may be missing.
// error: value of optional type 'String?' must be unwrapped to a value of type 'String'
import LoopbackServer

private func example() {
    #if MISTAKE
        _ = LoopbackServer(.get("/hello") { request in .text(request.query("name")) })
    #else
        _ = LoopbackServer(.get("/hello") { request in .text(request.query("name") ?? "you") })
    #endif
}
