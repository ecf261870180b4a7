// The elements are objects that are not Sendable.
// error: type 'User' does not conform to the 'Sendable' protocol
import Streams

private final class User {
    var name = ""
}

private struct UserValue {
    var name = ""
}

private struct Source {
    func subscribe<Element>(_ subject: PublishSubject<Element>) {}
}

private func example(_ source: Source) {
    #if MISTAKE
        source.subscribe(PublishSubject<User>())
    #else
        source.subscribe(PublishSubject<UserValue>())
    #endif
}
