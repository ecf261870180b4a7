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
    private let time = VirtualTimeScheduler()

    private func entry(_ name: String) -> Entry {
        Entry(
            id: name, values: [.text(StyledText(name))], sortKeys: [.text(name)],
            detail: .named(name)
        )
    }

    private func makeModel() -> DashboardModel {
        let state = DashboardModel.state(of: keys.asObservable(), sortableColumns: [0])
        return DashboardModel(
            content: content.asObservable(), selection: selection.asObservable(), keys: keys.asObservable(), state: state, waiting: "soon",
            scheduler: time)
    }

    /// Everything that the stream sends while `act` runs.
    private func elements<Element>(of stream: Observable<Element>, while act: () -> Void) -> [Element] {
        let seen = Lock<[Element]>([])
        let subscription = stream.subscribe(onNext: { element in seen.withLock { $0.append(element) } })
        act()
        subscription.dispose()
        return seen.withLock { $0 }
    }

    @Test func `Rows follow content, sorting and filter`() {
        let rows = elements(of: makeModel().rows.map { $0.map(\.id) }) {
            content.onNext(Content(entries: [entry("b"), entry("a")], heading: ""))
            keys.onNext(.character("S"))
            for key in "/b" { keys.onNext(.character(key)) }
            content.onNext(Content(entries: [entry("b"), entry("a"), entry("bc")], heading: ""))
        }
        #expect(rows == [["a", "b"], ["b", "a"], ["b"], ["bc", "b"]])
    }

    @Test func `The detail pane follows the selection, without duplicates`() {
        let titles = elements(of: makeModel().detail.map { $0?.title.string }) {
            content.onNext(Content(entries: [entry("a"), entry("b")], heading: ""))
            selection.accept("b")
            content.onNext(Content(entries: [entry("b")], heading: ""))
            selection.accept("gone")
        }
        #expect(titles == [nil, "b", nil])
    }

    @Test func `A filter without a match says so, and nothing is selected`() {
        let model = makeModel()
        let seen = elements(of: .combineLatest(model.placeholder, model.detail) { "\($0.string) \($1?.title.string ?? "-")" }) {
            content.onNext(Content(entries: [], heading: ""))
            content.onNext(Content(entries: [entry("a")], heading: ""))
            selection.accept("a")
            for key in "/x" { keys.onNext(.character(key)) }
        }
        #expect(seen.first == "soon -")
        #expect(seen.contains("Nothing matches “”; esc clears the filter. a"))
        #expect(seen.last == "Nothing matches “x”; esc clears the filter. -")
    }

    @Test func `The status is live or paused, and a problem has a line of its own until it is solved`() {
        let model = makeModel()
        let seen = elements(of: .merge(model.status.map(\.string), model.notice.map(\.string))) {
            keys.onNext(.character("p"))
            keys.onNext(.character(" "))
            content.onNext(Content(entries: [], heading: "", notice: "no answer"))
            content.onNext(Content(entries: [], heading: ""))
        }
        #expect(seen == ["live", "", "paused", "live", "no answer", ""])
    }

    @Test func `A refresh is seen for a second, also while paused, and however soon its answers come`() {
        let seen = elements(of: makeModel().status.map(\.string)) {
            keys.onNext(.character("r"))
            time.advance(by: .milliseconds(999))
            keys.onNext(.character("r"))
            keys.onNext(.character("p"))
            time.advance(by: .milliseconds(999))
            keys.onNext(.character("x"))
            time.advance(by: .milliseconds(1))
        }
        #expect(seen == ["live", "refreshing", "paused"])
    }

    @Test func `What is first may be held when every entry has values`() {
        let seen = elements(of: makeModel().isSettled) {
            content.onNext(Content(entries: [], heading: ""))
            content.onNext(Content(entries: [entry("a")], heading: "", isSettled: false))
            content.onNext(Content(entries: [entry("a")], heading: ""))
        }
        #expect(seen == [false, true])
    }

    @Test func `Pausing suspends the values and resuming continues them; a refresh is emitted while paused`() {
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

    @Test func `The first exit code wins`() {
        let codes = elements(of: makeModel().exit) {
            keys.onNext(.character("q"))
            keys.onNext(.control("c"))
        }
        #expect(codes == [0])
    }
}

extension Entry.Detail {
    /// Details with nothing in them but a title.
    static func named(_ title: String) -> Entry.Detail {
        Entry.Detail(title: StyledText(title), facts: "", chart: Entry.Chart(points: [], axis: Chart.Axis(0...1)))
    }
}
