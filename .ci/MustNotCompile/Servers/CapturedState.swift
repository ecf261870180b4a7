// A handler changes a variable around it.
// error: mutation of captured var 'count' in concurrently-executing code
import LoopbackServer
import Streams

private func example() {
    #if MISTAKE
        var count = 0
        _ = LoopbackServer(
            .post("/count") { _ in
                count += 1  // <-
                return .empty()
            })
    #else
        let count = BehaviorRelay(value: 0)
        _ = LoopbackServer(
            .post("/count") { _ in
                count.accept(count.value + 1)
                return .empty()
            })
    #endif
}
