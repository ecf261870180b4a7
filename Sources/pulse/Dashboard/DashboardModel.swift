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
    /// The code to end with.
    let exit: Observable<Int32>

    /// `entries` is subscribed to twice, by the list and by the detail pane: it should be shared.
    init(entries: Observable<[Entry]>, selection: Observable<String?>, state: Observable<DashboardState>) {
        self.state = state
        let query = state.map(\.query).distinctUntilChanged()
        let visible = Observable.combineLatest(entries, query) { entries, query in query.apply(to: entries) }
        rows = visible.map { entries in entries.map { Table.Row(id: $0.id, $0.values) } }
        detail = Observable.combineLatest(entries, selection) { entries, selected in entries.first { $0.id == selected }?.detail }
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
    /// Lets the entries through while nothing is paused, and the latest of them when the pause ends.
    func pausing<Value>(_ values: Observable<Value>) -> Observable<Value> {
        map(\.isPaused).distinctUntilChanged().flatMapLatest { $0 ? Observable<Value>.never() : values }
    }

    /// Once for each time a refresh was asked for.
    var refreshes: Observable<Void> {
        map(\.refreshes).distinctUntilChanged().skip(1).map { _ in }
    }
}
