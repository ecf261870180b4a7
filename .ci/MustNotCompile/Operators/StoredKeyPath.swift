// A stored key path is passed as the closure.
// error: generic parameter 'Result' could not be inferred
import Streams

private func example(_ names: Observable<String>, _ property: KeyPath<String, Int> & Sendable) {
    #if MISTAKE
        _ = names.map(property)
    #else
        _ = names.map { name in name[keyPath: property] }
    #endif
}
