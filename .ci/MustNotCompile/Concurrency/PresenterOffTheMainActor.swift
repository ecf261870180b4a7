// A method of a main-actor class is called when an operation completes.
// error: call to main actor-isolated instance method 'show' in a synchronous nonisolated context
import Streams

@MainActor private final class Presenter {
    func load(_ users: Observer<[String]>) {
        #if MISTAKE
            users.onCompleted { [weak self] users in self?.show(users) }
        #else
            users.onMain().onCompleted { [weak self] users in self?.show(users) }
        #endif
    }

    func show(_ users: [String]) {}
}
