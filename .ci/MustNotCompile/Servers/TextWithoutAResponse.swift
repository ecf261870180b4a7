// A handler returns a text.
// error: cannot convert value of type 'String' to closure result type 'LoopbackServer.Response'
import LoopbackServer

private func example() {
    #if MISTAKE
        _ = LoopbackServer(
            .get("/hello") { _ in "Hello" }  // <-
        )
    #else
        _ = LoopbackServer(
            .get("/hello") { _ in .text("Hello") }
        )
    #endif
}
