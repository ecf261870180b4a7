import Streams
import StreamsTesting
import Testing

/// Programs of users, written as the listings of Docs/Contexts.md write them.
@Suite("Programs with contexts", .countsResources) struct ContextUsersTests {
    struct User: Equatable {
        let name: String
    }

    /// A view of a user interface: main-actor code only.
    @MainActor final class UsersView: ReactiveCompatible {
        var lines: [String] = []
        var title: String?
        var isLoading = false
    }

    /// A service: what functions return cannot emit.
    final class UserService: Sendable {
        let request = Operation<[User]>()

        func users() -> Observer<[User]> {
            request.start()
        }

        func title() -> Observer<String> {
            users().map { users in "\(users.count) users" }
        }
    }

    @MainActor final class UsersPresenter {
        private let service: UserService
        private let view: UsersView
        private var context: MainObserver<[User]>?

        init(service: UserService, view: UsersView) {
            self.service = service
            self.view = view
        }

        func load() {
            view.isLoading = true
            context = service.users().onMain()
                .onCompleted { [weak self] users in self?.show(users) }
                .onError { [weak self] error in self?.show(error) }
                .onCancelled { [weak self] in self?.view.lines.append("cancelled") }
                .defer { [weak self] in self?.hideLoader() }
        }

        func refresh() {
            service.users().onMain()
                .onCompleted { [weak self] in self?.hideLoader() }
                .onError { [weak self] in self?.view.lines.append("Error!") }
        }

        func cancel() {
            context?.cancel()
        }

        func forget() {
            context?.unsubscribe()
        }

        private func show(_ users: [User]) { view.lines += users.map(\.name) }

        private func show(_ error: any Error) { view.lines.append("\(error)") }

        private func hideLoader() { view.isLoading = false }
    }

    @Suite("Presenters with contexts", .countsResources) @MainActor struct Presenters {
        let service = UserService()
        let view = UsersView()

        @Test func `A presenter shows what a request gives, on the main loop, at once if it is there`() {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.load()
            #expect(view.isLoading)
            service.request.succeed([User(name: "Jack")])
            #expect(view.lines == ["Jack"])
            #expect(!view.isLoading)
        }

        @Test func `A presenter shows an error, and hides its loader`() {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.load()
            service.request.send(.error(Failure.some))
            #expect(view.lines == ["some"])
            #expect(!view.isLoading)
        }

        @Test func `A presenter that cancels is notified of that only`() {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.load()
            presenter.cancel()
            service.request.succeed([User(name: "Jack")])
            #expect(view.lines == ["cancelled"])
            #expect(service.request.disposals == 1)
        }

        @Test func `A presenter that unsubscribes receives nothing more`() {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.load()
            presenter.forget()
            service.request.succeed([User(name: "Jack")])
            #expect(view.lines.isEmpty)
        }

        @Test func `Listeners that need no parameter are written without one`() {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.refresh()
            service.request.send(.error(Failure.some))
            #expect(view.lines == ["Error!"])
        }

        @Test func `A presenter that is gone is not called, and not kept`() {
            weak var gone: UsersPresenter?
            do {
                let presenter = UsersPresenter(service: service, view: view)
                gone = presenter
                presenter.load()
            }
            #expect(gone == nil)
            service.request.succeed([User(name: "Jack")])
            #expect(view.lines.isEmpty)
        }

        @Test func `An outcome that comes from elsewhere is delivered on the main loop`() async {
            let presenter = UsersPresenter(service: service, view: view)
            presenter.load()
            let request = service.request
            await Task.detached { request.succeed([User(name: "Jack")]) }.value
            while view.isLoading { await Task.yield() }
            #expect(view.lines == ["Jack"])
        }

        @Test func `An error of one type is handled apart`() {
            service.users().onMain()
                .catchError { [view] (error: Failure) in view.lines.append("caught \(error)") }
                .onError { [view] in view.lines.append("Error!") }
            service.request.send(.error(Failure.other))
            #expect(view.lines == ["caught other"])
        }

        @Test func `Data is bound to a property of a view, plain and optional`() {
            service.title().bind(to: view.rx.title)
            service.request.succeed([User(name: "Jack")])
            #expect(view.title == "1 users")
        }

        @Test func `Data and errors are bound to two places`() {
            let (names, failed) = (service.users(), service.users())
            let lines = Binder<[User]>(view) { view, users in view.lines += users.map(\.name) }
            let errors = Binder<any Error>(view) { view, error in view.lines.append("\(error)") }
            failed.bind(onCompleted: lines, onError: errors)
            service.request.send(.error(Failure.third))
            names.cancel()
            service.users().bind { [view] users in
                view.lines += users.map(\.name)
            } onError: { [view] error in
                view.lines.append("\(error)")
            }
            service.request.succeed([User(name: "John")])
            #expect(view.lines == ["third", "John"])
        }
    }

    actor UserStore {
        private(set) var names: [String] = []

        func load(from service: UserService) {
            service.users().onCompleted { users in Task { await self.add(users) } }
        }

        func reload(from service: UserService) async throws {
            add(try await service.users().value)
        }

        private func add(_ users: [User]) { names += users.map(\.name) }
    }

    @Test func `An actor listens, and awaits`() async throws {
        let (service, store) = (UserService(), UserStore())
        await store.load(from: service)
        service.request.succeed([User(name: "Jack")])
        while await store.names.isEmpty { await Task.yield() }
        async let reloaded: Void = store.reload(from: service)
        while service.request.starts < 2 { await Task.yield() }
        service.request.succeed([User(name: "John")])
        try await reloaded
        #expect(await store.names == ["Jack", "John"])
    }

    @Test func `A command-line loop asks, prints and goes on after an error`() {
        let output = Output()
        func find(_ name: String) -> Observer<User> {
            name.isEmpty ? .emit(error: Failure.some) : .emit(data: User(name: name))
        }
        for line in ["Jack", "", "John"] {
            find(line)
                .onCompleted { output.print("Hello \($0.name)!") }
                .onError { output.print("Error!") }
                .defer { output.print("?") }
        }
        #expect(output.lines == ["Hello Jack!", "?", "Error!", "?", "Hello John!", "?"])
    }

    @Test func `A service keeps what it emits to itself, and is fed by a stream`() {
        final class Rates: Sendable {
            private let current = MulticastContext<Double>()

            var rates: Observer<Double> { current }

            func follow(_ ticks: Observable<Double>) -> any Disposable { ticks.bind(to: current) }
        }
        let (service, ticks, output) = (Rates(), PublishSubject<Double>(), Output())
        let subscription = service.follow(ticks.asObservable())
        output.listen(service.rates)
        ticks.onNext(73.5)
        ticks.onError(Failure.some)
        #expect(output.lines == ["data 73.5", "defer", "error some", "defer"])
        subscription.dispose()
    }

    @Test func `What an operator swallows clears what a late listener gets, along the whole chain`() {
        let output = Output()
        let context = Context<Int>()
        let caught = context.catchError { (_: Failure) in }
        let mapped = caught.map { $0 + 1 }.multicast().combine(Observer.emit(data: 0))
        context.emit(data: 1).emit(error: Failure.some)
        output.listen(caught)
        output.listen(mapped)
        #expect(output.lines.isEmpty)
        context.emit(data: 2)
        #expect(output.lines == ["data 2", "defer", "data (3, 0)", "defer"])
    }
}
