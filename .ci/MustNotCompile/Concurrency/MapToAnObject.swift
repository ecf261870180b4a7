// map returns an object that is not Sendable.
// error: type 'User' does not conform to the 'Sendable' protocol
import Streams

private final class User {
    var name: String

    init(name: String) { self.name = name }
}

private struct UserValue {
    var name: String
}

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.map { name in User(name: name) }
    #else
        _ = names.map { name in UserValue(name: name) }
    #endif
}
