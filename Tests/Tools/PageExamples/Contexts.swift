// The blocks of `Docs/Contexts.md`, with what they take for granted.
import NetNodes
import Streams

struct User: Codable, Sendable {}
struct ShortAccount: Sendable { let usersFrameId: String }
struct Status: Sendable { let isDone: Bool }

final class UserService: Sendable {
    func users(by id: String) -> Observer<[User]> {
        shortAccount(by: id).map { account in self.users(of: account.usersFrameId) }
    }
}

@MainActor final class UsersPresenter {
    private let service = UserService()
    private var context: MainObserver<[User]>?

    func load() {
        context = service.users(by: "7").onMain()
            .onCompleted { [weak self] users in self?.show(users) }
            .onError { [weak self] error in self?.show(error) }
            .defer { [weak self] in self?.hideLoader() }
    }
}

extension UserService {
    private func shortAccount(by id: String) -> Observer<ShortAccount> { .emit(data: ShortAccount(usersFrameId: id)) }
    private func users(of frame: String) -> Observer<[User]> { .emit(data: []) }
}

extension UsersPresenter {
    private func show(_ users: [User]) {}
    private func show(_ error: any Error) {}
    private func hideLoader() {}
}

final class Poll: Sendable {
    func poll() -> Observer<Status> {
        request().then { status in status.isDone ? .emit(data: status) : self.poll() }
    }

    private func request() -> Observer<Status> { .emit(data: Status(isDone: true)) }
}
