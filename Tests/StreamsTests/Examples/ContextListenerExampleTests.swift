import Streams
import StreamsTesting
import Testing

/// The listings of the second text about contexts that the first lacks, under its section titles; those that send a request: `NetNodesTests`.
@Suite("The listings about listeners of contexts", .onOneThread, .countsResources) struct ContextListenerExampleTests {
    enum Error: Swift.Error {
        case some, other
    }

    @Suite("Контексты и наблюдатели", .countsResources) struct Contexts {
        @Test func `A plain context has one listener a kind: the second registration replaces the first`() {
            let output = Output()
            let context = Context<String>()

            context.onCompleted { output.print("first \($0)") }
            context.onCompleted { output.print("second \($0)") }
            context.emit(data: "Word")

            #expect(output.lines == ["second Word"])
        }
    }

    @Suite("catchError<Type: Error>(_ closure: @escaping (Type) -> Void) -> Observer<Model>", .countsResources) struct CatchError {
        struct CustomServerError: Codable, Swift.Error {
            let code: Int
            let userMessage: String
            let commonCode: Int
        }

        @MainActor final class Presenter {
            let output = Output()
            let userData = Operation<String>()

            func getUserData() -> Observer<String> {
                return userData.start()
            }

            func load() {
                func print(_ line: String) { output.print(line) }

                getUserData().onMain().catchError { [weak self] (error: CustomServerError) in
                    self?.customErrorHandler(error)
                }.onCompleted { [weak self] in
                    self?.onSuccess()
                }.onError {
                    print("Error!")
                }.defer { print("defer") }
            }

            func customErrorHandler(_ error: CustomServerError) {
                output.print(error.userMessage)
            }

            func onSuccess() {
                output.print("success")
            }
        }

        @Test @MainActor func `The closure handles its own type, and defer stays silent`() {
            let presenter = Presenter()
            presenter.load()
            presenter.userData.send(.error(CustomServerError(code: 1, userMessage: "try later", commonCode: 2)))
            #expect(presenter.output.lines == ["try later"])
        }

        @Test @MainActor func `Other errors and data pass`() {
            let failed = Presenter()
            failed.load()
            failed.userData.send(.error(Error.some))
            #expect(failed.output.lines == ["Error!", "defer"])

            let successful = Presenter()
            successful.load()
            successful.userData.succeed("data")
            #expect(successful.output.lines == ["success", "defer"])
        }
    }

    @Test func `mapError(_ mapper: @escaping (Error) throws -> Observer<Model>)`() {
        let output = Output()
        @Sendable func print(_ line: String) { output.print(line) }

        let context = Context<String>()

        let mapped = context.mapError { error in
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

    @Suite("mapError(_ mapper: @escaping(Error) -> Error)", .countsResources) struct MapError {
        enum HttpError: Swift.Error {
            case notFound
            case serverError
            case clientError
        }

        enum AddCardError: Swift.Error {
            case undefind
            case badAccountNumber
        }

        @Test(
            arguments: [
                (HttpError.clientError, "badAccountNumber"), (.notFound, "undefind"), (.serverError, "undefind"),
            ])
        func `It maps an error of the box to an own one`(error: HttpError, printed: String) {
            let output = Output()
            let node = Operation<String>()

            let mapped = node.start().mapError { error in
                switch error {
                case HttpError.clientError: return AddCardError.badAccountNumber
                default: return AddCardError.undefind
                }
            }
            mapped.onError { output.print("\($0)") }
            node.send(.error(error))

            #expect(output.lines == [printed])
        }
    }
}
