// A handler calls a function that is not there.
// error: cannot find 'part' in scope
import LoopbackServer

private func parts(_ text: String) -> (String, String) { (text, text) }

private func example() {
    #if MISTAKE
        _ = LoopbackServer(
            .get("/teas") { request in
                let (kind, _) = part(request.path)  // <-
                return .text(kind)
            })
    #else
        _ = LoopbackServer(
            .get("/teas") { request in
                let (kind, _) = parts(request.path)
                return .text(kind)
            })
    #endif
}
