import NetNodes
import TerminalViews

/// The streams between keys and entries on one side and the views on the other.
///
/// Nothing here draws, and nothing is set by hand: each output is a stream of the inputs.
@MainActor
struct DashboardModel {
    /// What the keys made of the dashboard; shared, beginning with the present state.
    let state: Observable<DashboardState>
    /// The rows that are to be seen, sorted and filtered.
    let rows: Observable<[Table.Row]>
    /// What the detail pane tells; nil while nothing is selected.
    let detail: Observable<Entry.Detail?>
    /// What is to be said at the top: that it is live, paused, or what is wrong.
    let status: Observable<StyledText>
    /// The code to end with.
    let exit: Observable<Int32>

    /// `content` is subscribed to by the list, by the detail pane and by the status: it should be shared.
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

    /// The state that the keys make.
    static func state(of keys: Observable<Key>, sortableColumns: [Int]) -> Observable<DashboardState> {
        let initial = DashboardState(sortableColumns: sortableColumns)
        return keys.scan(initial) { state, key in state.applying(key) }
            .startWith(initial)
            .distinctUntilChanged()
            .share(replay: 1, scope: .forever)
    }
}

extension Observable where Element == DashboardState {
    /// The state where there are no keys: nothing is paused, and nothing refreshed by hand.
    static var unattended: Observable<DashboardState> {
        never().startWith(DashboardState(sortableColumns: []))
    }

    /// Lets the entries through while nothing is paused, and the latest of them when the pause ends.
    func pausing<Value>(_ values: Observable<Value>) -> Observable<Value> {
        map(\.isPaused).distinctUntilChanged().flatMapLatest { $0 ? Observable<Value>.never() : values }
    }

    /// Once for each time a refresh was asked for.
    var refreshes: Observable<Void> {
        map(\.refreshes).distinctUntilChanged().skip(1).map { _ in }
    }
}
