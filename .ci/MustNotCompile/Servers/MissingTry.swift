// Decoding a body can fail.
// error: call can throw, but it is not marked with 'try' and the error is not handled
import LoopbackServer

private func example() {
    #if MISTAKE
        _ = LoopbackServer(
            .post("/sum") { request in
                let numbers = request.json(as: [Int].self)  // <-
                return .json(numbers.reduce(0, +))
            })
    #else
        _ = LoopbackServer(
            .post("/sum") { request in
                let numbers = try request.json(as: [Int].self)
                return .json(numbers.reduce(0, +))
            })
    #endif
}
