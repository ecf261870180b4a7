// error: call to main actor-isolated instance method 'show' in a synchronous nonisolated context
import Streams

@MainActor final class Presenter {
    func load(_ users: Observer<[String]>) {
        users.onCompleted { [weak self] users in self?.show(users) }
    }

    func show(_ users: [String]) {}
}
