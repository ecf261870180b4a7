// A closure with a typed error has a tuple as its parameter, without its type.
// crash: -Onone
import Streams

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.map { ($0, 1) }.map { name throws(StreamError) -> String in try checked(name.0) }
    #else
        _ = names.map { ($0, 1) }.map { (name: (String, Int)) throws(StreamError) -> String in try checked(name.0) }
    #endif
}

private func checked(_ name: String) throws(StreamError) -> String {
    guard !name.isEmpty else { throw .noElements }
    return name
}
