import NetNodes
import TerminalViews

/// The streams between keys and entries as inputs and the views as outputs.
///
/// It draws nothing and sets nothing imperatively: each output is a stream of the inputs.
@MainActor
struct DashboardModel {
    /// The state of the dashboard, as changed by keys; shared, starting with the current state.
    let state: Observable<DashboardState>
    /// The visible rows, sorted and filtered.
    let rows: Observable<[Table.Row]>
    /// The content of the detail pane; `nil` while nothing is selected.
    let detail: Observable<Entry.Detail?>
    /// The status at the top: live, paused, or a problem.
    let status: Observable<StyledText>
    /// Emits the exit code.
    let exit: Observable<Int32>

    /// `content` is subscribed to by the list, the detail pane and the status, so it should be shared.
    init(content: Observable<Content>, selection: Observable<String?>, state: Observable<DashboardState>) {
        self.state = state
        let query = state.map(\.query).distinctUntilChanged()
        let visible = Observable.combineLatest(content, query) { content, query in query.apply(to: content.entries) }
        rows = visible.map { entries in entries.map { Table.Row(id: $0.id, $0.values) } }
        detail = Observable.combineLatest(content, selection) { content, id in content.entries.first { $0.id == id }?.detail }
            .distinctUntilChanged()
        status = Observable.combineLatest(content.map(\.notice), state.map(\.isPaused)) { notice, isPaused in
            if isPaused { return StyledText("paused", Style(.yellow).with(.bold)) }
            return notice.map { StyledText($0, Style(.red).with(.bold)) } ?? "live"
        }
        .startWith("live")
        .distinctUntilChanged()
        exit = state.compactMap(\.exitCode).take(1)
    }

    /// Returns the state as a function of the keys.
    static func state(of keys: Observable<Key>, sortableColumns: [Int]) -> Observable<DashboardState> {
        let initial = DashboardState(sortableColumns: sortableColumns)
        return keys.scan(initial) { state, key in state.applying(key) }
            .startWith(initial)
            .distinctUntilChanged()
            .share(replay: 1, scope: .forever)
    }
}

extension Observable where Element == DashboardState {
    /// The state without keys: nothing is paused, and nothing is refreshed manually.
    static var unattended: Observable<DashboardState> {
        never().startWith(DashboardState(sortableColumns: []))
    }

    /// Emits the values while not paused, and the latest of them on resuming.
    func pausing<Value>(_ values: Observable<Value>) -> Observable<Value> {
        map(\.isPaused).distinctUntilChanged().flatMapLatest { $0 ? Observable<Value>.never() : values }
    }

    /// Emits once for each requested refresh.
    var refreshes: Observable<Void> {
        map(\.refreshes).distinctUntilChanged().skip(1).map { _ in }
    }
}
