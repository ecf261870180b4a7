import InspectedForms
import Streams

/// A program with `@main` that awaits.
@main
struct AtMainAsync {
    static func main() async throws {
        let numbers = PublishSubject<Int>()
        let before = numbers.map { $0 + 1 }.subscribe { _ in }
        let owner = Owner(numbers)
        await owner.start()
        let task = await Task.detached { numbers.skip(1).subscribe { _ in } }.value
        // The package starts these on the main actor: the line is that of `flatMap`, and none is that of `main`.
        let inner = Observable<Int>.interval(.milliseconds(1), scheduler: MainScheduler.instance).take(1)
            .flatMap { _ in Observable<Int>.never() }
            .subscribe { _ in }
        for try await _ in Observable<Int>.timer(.milliseconds(20), scheduler: MainScheduler.instance).values {}
        printChains()
        withExtendedLifetime((before, owner, task, inner)) {}
    }
}

/// An actor that owns a chain.
actor Owner {
    private let numbers: PublishSubject<Int>
    private var chain: (any Disposable)?

    init(_ numbers: PublishSubject<Int>) {
        self.numbers = numbers
    }

    func start() {
        chain = numbers.filter { $0 > 0 }.subscribe { _ in }
    }
}
