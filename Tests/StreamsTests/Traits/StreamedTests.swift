import Streams
import StreamsTesting
import Testing

@MainActor
@Suite("Streamed properties", .onOneThread, .countsResources) struct StreamedTests {
    @Test func `A streamed property emits its current and each new value`() {
        let list = ItemList(.never())
        let values = Lock<[Int]>([])
        let subscription = list.$count.map { $0 * 10 }.subscribe(onNext: { value in values.withLock { $0.append(value) } })
        list.count = 2
        list.count += 1
        subscription.dispose()
        #expect(values.withLock { $0 } == [0, 20, 30])
        #expect(list.count == 3)
    }

    @Test @MainActor func `A streamed property is an infallible stream and a driver`() {
        @Streamed var number = 5
        #expect(received($number.asInfallible().take(1).asObservable()) == ["5", "|"])
        #expect(received($number.asDriver().take(1).asObservable()) == ["5", "|"])
    }

    @Test func `A loadable object is loading and then loaded or failed`() {
        let subject = PublishSubject<[Int]>()
        let list = ItemList(subject.asObservable())
        list.load()
        #expect(list.state == .loading)
        subject.onNext([1, 2])
        #expect(list.state.value == [1, 2])
        subject.onError(Received.Failure())
        #expect(list.state.error is Received.Failure)
    }

    @Test func `An assignment through a copy of the projection does not set the property`() {
        let list = ItemList(.never())
        var outside = list.$state
        Infallible.just(.loaded([1])).assign(to: &outside)
        #expect(list.state == .idle)
    }

    @Test func `A property whose setter is visible can be assigned to from outside, an optional one too`() {
        let list = ItemList(.never())
        Infallible.of(1, 2).assign(to: &list.$count)
        Infallible.of("a", "b").assign(to: &list.$title)
        #expect(list.count == 2)
        #expect(list.title == "b")
    }

    @Test func `An assignment is disposed with its property`() {
        let counter = Resources.Counter()
        Resources.$counter.withValue(counter) {
            let isGone = Tally()
            var list: ItemList? = ItemList(Observable.never().do(onDispose: { isGone.add() }))
            list?.load()
            list = nil
            #expect(isGone.value == 1)
        }
        #expect(counter.total == 0, "\(counter.byKind)")
    }
}

@MainActor
private final class ItemList: LoadableObject {
    @Streamed private(set) var state = LoadingState<[Int]>.idle
    @Streamed var count = 0
    @Streamed var title: String?
    let source: Observable<[Int]>

    init(_ source: Observable<[Int]>) {
        self.source = source
    }

    func load() {
        guard !state.isLoading else { return }
        state = .loading
        source.convertToLoadingState().assign(to: &$state)
    }
}
