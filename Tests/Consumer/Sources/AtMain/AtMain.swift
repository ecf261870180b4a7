import InspectedForms
import Streams

/// A program with `@main` that does not await.
@main
struct AtMain {
    static func main() {
        let numbers = PublishSubject<Int>()
        let statement = numbers.map { $0 + 1 }.subscribe { _ in }
        let method = chain(numbers)
        _ = MainScheduler.instance.schedule {
            printChains()
            MainLoop.stop()
        }
        MainLoop.run()
        withExtendedLifetime((statement, method)) {}
    }

    private static func chain(_ numbers: PublishSubject<Int>) -> any Disposable {
        numbers.filter { $0 > 0 }.subscribe { _ in }
    }
}
