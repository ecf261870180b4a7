import Schedulers
import StreamsTesting
import TestSupport
import Testing

@Suite("Disposables", .countsResources)
struct DisposableTests {
    @Test func `An action runs once, however often it is disposed`() {
        let count = Lock(0)
        let disposable = Disposables.create { count.withLock { $0 += 1 } }
        disposable.dispose()
        disposable.dispose()
        #expect(count.withLock { $0 } == 1)
        Disposables.create().dispose()
    }

    @Test func `An action is freed with its captures once it has run`() {
        weak var token: Token?
        let disposable: any Disposable
        do {
            let held = Token()
            token = held
            disposable = Disposables.create { withExtendedLifetime(held) {} }
        }
        #expect(token != nil)
        disposable.dispose()
        #expect(token == nil)
    }

    @Test func `A composite disposes its members in order, and later ones immediately`() {
        let log = Log()
        let composite = CompositeDisposable([log.disposable(1), log.disposable(2)])
        let key = composite.insert(log.disposable(3))
        composite.insert(log.disposable(4))
        #expect(composite.count == 4)
        if let key { composite.remove(for: key) }
        composite.dispose()
        #expect(composite.insert(log.disposable(5)) == nil)
        #expect(log.numbers == [3, 1, 2, 4, 5])
        #expect(composite.isDisposed && composite.count == 0)
        Disposables.create(log.disposable(6), log.disposable(7)).dispose()
        #expect(log.numbers.suffix(2) == [6, 7])
    }

    @Test func `A serial disposable disposes the previous one, and later ones after its disposal`() {
        let log = Log()
        let serial = SerialDisposable()
        serial.disposable = log.disposable(1)
        serial.disposable = log.disposable(2)
        #expect(log.numbers == [1])
        serial.dispose()
        serial.disposable = log.disposable(3)
        #expect(log.numbers == [1, 2, 3])
        #expect(serial.isDisposed && serial.disposable == nil)
    }

    @Test func `A single assignment disposes its disposable, also if set late`() {
        let log = Log()
        let early = SingleAssignmentDisposable()
        early.setDisposable(log.disposable(1))
        early.dispose()
        let late = SingleAssignmentDisposable()
        late.dispose()
        late.setDisposable(log.disposable(2))
        #expect(log.numbers == [1, 2])
        #expect(early.isDisposed && late.isDisposed)
    }

    @Test(.startsChild) func `A second assignment traps`() async {
        await #expect(processExitsWith: .failure) {
            let disposable = SingleAssignmentDisposable()
            disposable.setDisposable(Disposables.create())
            disposable.setDisposable(Disposables.create())
        }
    }

    @Test func `A counted disposable is disposed when it and all its handles are`() {
        let log = Log()
        let counted = RefCountDisposable(log.disposable(1))
        let handles = [counted.retain(), counted.retain()]
        counted.dispose()
        handles[0].dispose()
        handles[0].dispose()
        #expect(log.numbers == [] && !counted.isDisposed)
        handles[1].dispose()
        #expect(log.numbers == [1] && counted.isDisposed)
        counted.retain().dispose()
    }

    @Test func `A bag disposes its members in order when it is deallocated, and later ones immediately`() {
        let log = Log()
        do {
            let bag = DisposeBag {
                log.disposable(1)
                log.disposable(2)
            }
            log.disposable(3).disposed(by: bag)
            bag.insert([log.disposable(4)])
            #expect(log.numbers == [])
        }
        #expect(log.numbers == [1, 2, 3, 4])
    }

    @Test func `A bag takes several disposables at once`() {
        let log = Log()
        do {
            let bag = DisposeBag()
            bag.insert(log.disposable(1), log.disposable(2))
            bag.insert(log.disposable(3))
            bag.insert {
                log.disposable(4)
                log.disposable(5)
            }
        }
        #expect(log.numbers == [1, 2, 3, 4, 5])
    }

    @Test func `A scheduled disposable is disposed once, by an action of its scheduler`() {
        let log = Log()
        let scheduler = VirtualTimeScheduler()
        let disposable = ScheduledDisposable(scheduler: scheduler, disposable: log.disposable(1))
        disposable.dispose()
        disposable.dispose()
        #expect(log.numbers == [] && !disposable.isDisposed)
        scheduler.run()
        #expect(log.numbers == [1] && disposable.isDisposed)
        disposable.dispose()
        #expect(scheduler.isIdle)
    }

    @Test func `A boolean disposable records its disposal`() {
        let disposable = BooleanDisposable()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        #expect(disposable.isDisposed && BooleanDisposable(isDisposed: true).isDisposed)
    }

    private final class Token: Sendable {}

    /// Notes which disposables were disposed, in their order.
    private final class Log: Sendable {
        private let entries = Lock<[Int]>([])

        var numbers: [Int] { entries.withLock { $0 } }

        func disposable(_ number: Int) -> any Disposable {
            Disposables.create { [self] in entries.withLock { $0.append(number) } }
        }
    }
}
