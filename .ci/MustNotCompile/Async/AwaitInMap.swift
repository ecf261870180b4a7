// map awaits.
// error: cannot pass function of type '@Sendable (consuming String) async -> String' to parameter expecting synchronous function type
import Streams

private func profile(of name: String) async -> String { name }

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.map { name in await profile(of: name) }
    #else
        _ = names.mapAsync { name in await profile(of: name) }
    #endif
}
