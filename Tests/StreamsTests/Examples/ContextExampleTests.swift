import Streams
import StreamsTesting
import Testing

/// The listings of the first text about contexts, under its section titles.
@Suite("The listings about contexts", .onOneThread, .countsResources) struct ContextExampleTests {
    enum Error: Swift.Error {
        case some, other
    }

    @Suite("Контексты и наблюдатели", .countsResources) struct Contexts {
        private let output = Output()

        private func print(_ line: String) {
            output.print(line)
        }

        @Test func `A listener that comes after the data is called at once`() {

            let context = Observer.emit(data: "Word")
            context.onCompleted { print("Hello \($0)!") }

            #expect(output.lines == ["Hello Word!"])
        }

        @Test func `The same goes for onError`() {

            let context = Observer<String>.emit(error: Error.some)
            context.onError { _ in print("Error!") }

            #expect(output.lines == ["Error!"])
        }

        @Test func `An error erases the data`() {

            let context = Observer.emit(data: "Word")
            context.emit(error: Error.some)
            context.onCompleted { print("Hello \($0)!") }
            context.onError { _ in print("Error!") }

            #expect(output.lines == ["Error!"])
        }

        @Test func `Data erases the error`() {

            let context = Observer<String>.emit(data: "Word")
            context.emit(error: Error.some)
            context.emit(data: "Word")
            context.onCompleted { print("Hello \($0)!") }
            context.onError { print("Error!") }

            #expect(output.lines == ["Hello Word!"])
        }
    }

    @Suite("Операции", .countsResources) struct Operations {
        private let output = Output()

        private func print(_ line: String) {
            output.print(line)
        }

        @Test func `error(_ mapper: @escaping (Error) throws -> Observer<Model>)`() {

            let context = Context<String>()

            let mapped = context.error { error in
                if case Error.some = error {
                    // The text has "Word!" here, and prints one mark.
                    return .emit(data: "Word")
                }

                return .emit(error: error)
            }

            mapped.onCompleted { print("Hello \($0)!") }
            mapped.onError { _ in print("Error!") }

            context.emit(error: Error.some)
            context.emit(data: "Jack")
            context.emit(error: Error.other)

            #expect(output.lines == ["Hello Word!", "Hello Jack!", "Error!"])
        }

        @Test func `map(_ mapper: @escaping(Error) -> Error)`() {

            let mapped = Context<Int>.emit(error: Error.some).mapError { _ in Error.other }
            mapped.onError { print("\($0)") }

            #expect(output.lines == ["other"])
        }

        @Test func `map<T>(_ mapper: @escaping (Model) throws -> T)`() {

            let mapped = Observer.emit(data: 20).map { $0 + 1 }
            mapped.onCompleted { print("\($0)") }

            #expect(output.lines == ["21"])
        }

        @Test func `map<T>(_ mapper: @escaping (Model) -> Observer<T>)`() {
            let service = AccountService()

            let users = service.getUsers(by: "id")
            users.onCompleted { print("\($0.map(\.name))") }
            #expect(output.lines.isEmpty)

            service.account.succeed(AccountShort(usersFrameId: 7))
            service.users.succeed([User(name: "Jack of 7")])

            #expect(output.lines == ["[\"Jack of 7\"]"])
            #expect(service.asked.lines == ["account id", "users 7"])
        }
    }

    struct AccountShort {
        let usersFrameId: Int
    }

    struct User {
        let name: String
    }

    final class AccountService: Sendable {
        let account = Operation<AccountShort>()
        let users = Operation<[User]>()
        let asked = Output()

        func getUsers(by id: String) -> Observer<[User]> {
            return self.getShortAccount(by: id).map { data in
                return self.getUsers(by: data.usersFrameId)
            }
        }

        func getShortAccount(by id: String) -> Observer<AccountShort> {
            asked.print("account \(id)")
            return account.start()
        }

        func getUsers(by frameId: Int) -> Observer<[User]> {
            asked.print("users \(frameId)")
            return users.start()
        }
    }
}
