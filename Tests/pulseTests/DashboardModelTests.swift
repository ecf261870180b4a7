import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("The dashboard's streams follow keys and content", .countsResources)
struct DashboardModelTests {
    private let keys = PublishSubject<Key>()
    private let content = PublishSubject<Content>()
    private let selection = BehaviorRelay<String?>(value: nil)

    private func entry(_ name: String) -> Entry {
        Entry(
            id: name, values: [.text(StyledText(name))], sortKeys: [.text(name)],
            detail: Entry.Detail(title: StyledText(name), facts: "", history: [])
        )
    }

    private func makeModel() -> DashboardModel {
        let state = DashboardModel.state(of: keys.asObservable(), sortableColumns: [0])
        return DashboardModel(content: content.asObservable(), selection: selection.asObservable(), state: state)
    }

    /// Everything that the stream sends while `act` runs.
    private func elements<Element>(of stream: Observable<Element>, while act: () -> Void) -> [Element] {
        let seen = Lock<[Element]>([])
        let subscription = stream.subscribe(onNext: { element in seen.withLock { $0.append(element) } })
        act()
        subscription.dispose()
        return seen.withLock { $0 }
    }

    @Test("Rows follow content, sorting and filter")
    func rows() {
        let rows = elements(of: makeModel().rows.map { $0.map(\.id) }) {
            content.onNext(Content(entries: [entry("b"), entry("a")]))
            keys.onNext(.character("S"))
            for key in "/b" { keys.onNext(.character(key)) }
            content.onNext(Content(entries: [entry("b"), entry("a"), entry("bc")]))
        }
        #expect(rows == [["a", "b"], ["b", "a"], ["b"], ["bc", "b"]])
    }

    @Test("The detail pane follows the selection, without duplicates")
    func detail() {
        let titles = elements(of: makeModel().detail.map { $0?.title.string }) {
            content.onNext(Content(entries: [entry("a"), entry("b")]))
            selection.accept("b")
            content.onNext(Content(entries: [entry("b")]))
            selection.accept("gone")
        }
        #expect(titles == [nil, "b", nil])
    }

    @Test("The status is live, paused, or a problem")
    func status() {
        let status = elements(of: makeModel().status.map(\.string)) {
            content.onNext(Content(entries: []))
            keys.onNext(.character("p"))
            keys.onNext(.character("p"))
            content.onNext(Content(entries: [], notice: "no answer"))
        }
        #expect(status == ["live", "paused", "live", "no answer"])
    }

    @Test("Pausing suspends the values and resuming continues them; a refresh is emitted while paused")
    func pauses() {
        let values = PublishSubject<Int>()
        let state = DashboardModel.state(of: keys.asObservable(), sortableColumns: [0])
        let seen = elements(of: .merge(state.pausing(values.asObservable()), state.refreshes.map { -1 })) {
            values.onNext(1)
            keys.onNext(.character("p"))
            values.onNext(2)
            keys.onNext(.character("r"))
            keys.onNext(.character("p"))
            values.onNext(3)
        }
        #expect(seen == [1, -1, 3])
    }

    @Test("The first exit code wins")
    func exit() {
        let codes = elements(of: makeModel().exit) {
            keys.onNext(.character("q"))
            keys.onNext(.control("c"))
        }
        #expect(codes == [0])
    }
}
