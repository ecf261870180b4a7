import NetNodes
import TerminalViews

/// Turns keys and content, its inputs, into streams for the views, its outputs.
///
/// It draws nothing and sets nothing imperatively: each output is a stream of the inputs.
@MainActor
struct DashboardModel {
    /// The state of the dashboard, as changed by keys; shared, starting with the current state.
    let state: Observable<DashboardState>
    /// The keys that belong to the views.
    let viewKeys: Observable<Key>
    /// The visible rows, sorted and filtered.
    let rows: Observable<[Table.Row]>
    /// The columns, if the content decides them.
    let columns: Observable<[Table.Column]>
    /// The content of the detail pane; `nil` while no visible row is selected.
    let detail: Observable<Entry.Detail?>
    let heading: Observable<StyledText>
    /// A problem of the source as a whole; empty if there is none.
    let notice: Observable<StyledText>
    /// Whether the first row may be held: every entry has values.
    let isSettled: Observable<Bool>
    /// The status at the top: live, paused, or for a moment the note that a refresh was requested.
    let status: Observable<StyledText>
    /// The text that is shown if there are no rows.
    let placeholder: Observable<StyledText>
    /// Emits the exit code.
    let exit: Observable<Int32>

    /// `content` is subscribed to by the list, the detail pane and the status, so it should be shared.
    init(
        content: Observable<Content>, selection: Observable<String?>, keys: Observable<Key>, state: Observable<DashboardState>,
        waiting: StyledText = "", theme: Theme = .dark, scheduler: any Scheduler = MainScheduler.instance
    ) {
        self.state = state
        let query = state.map(\.query).distinctUntilChanged()
        let visible = Observable.combineLatest(content, query) { content, query in content.entries(query) }
            .share(replay: 1, scope: .whileConnected)
        rows = visible.map { entries in entries.map(\.row) }
        columns = content.compactMap(\.columns).distinctUntilChanged()
        detail = Observable.combineLatest(visible, selection) { entries, id in entries.first { $0.id == id } }
            .distinctUntilChanged(by: { last, next in
                guard let last, let next else { return last == nil && next == nil }
                return last.isSame(as: next)
            })
            .map { $0?.detail }
            .distinctUntilChanged()
        heading = content.map(\.heading).distinctUntilChanged()
        notice = content.map { StyledText($0.notice ?? "", theme.warning) }.startWith("").distinctUntilChanged()
        isSettled = content.map { $0.isSettled && !$0.isEmpty }.distinctUntilChanged()
        let isRefreshing = state.refreshes
            .flatMapLatest { Observable<Int>.timer(Self.refreshNote, scheduler: scheduler).map { _ in false }.startWith(true) }
            .startWith(false)
        status = Observable.combineLatest(state.map(\.isPaused), isRefreshing) { isPaused, isRefreshing in
            if isRefreshing { return StyledText("refreshing", theme.accent.with(.bold)) }
            return isPaused ? StyledText("paused", theme.warning.with(.bold)) : "live"
        }
        .distinctUntilChanged()
        placeholder = Observable.combineLatest(content.map(\.isEmpty), query.map(\.filter)) { isEmpty, filter in
            isEmpty ? waiting : StyledText("Nothing matches “\(filter)”; esc clears the filter.")
        }
        .startWith(waiting)
        .distinctUntilChanged()
        viewKeys = keys.withLatestFrom(state) { key, state in state.viewKey(of: key) }.compactMap(\.self)
        exit = state.compactMap(\.exitCode).take(1)
    }

    /// The time for which the status shows that a refresh was requested, so that you see it even if the answers come at once.
    private nonisolated static let refreshNote = Duration.seconds(1)

    /// Returns the letters that have no meaning of the dashboard's own, with the selected entry: they are commands of the content.
    static func commands(
        _ keys: Observable<Key>, _ state: Observable<DashboardState>, selection: Observable<String?>
    ) -> Observable<DashboardState.KeyCommand> {
        keys.withLatestFrom(state) { key, state in state.command(of: key) }
            .compactMap(\.self)
            .withLatestFrom(selection) { DashboardState.KeyCommand(letter: $0, selection: $1) }
    }

    /// Returns the state as a function of keys, of clicks, and of the columns that the list shows.
    static func state(
        of keys: Observable<Key>, titleClicks: Observable<Int> = .never(), shownColumns: Observable<[Int]> = .never(),
        sortableColumns: [Int], largestFirst: Set<Int> = []
    ) -> Observable<DashboardState> {
        let initial = DashboardState(sortableColumns: sortableColumns, largestFirst: largestFirst)
        return Observable.merge(keys.map { .key($0) }, titleClicks.map { .title($0) }, shownColumns.map { .columns($0) })
            .scan(initial) { (state: DashboardState, input: DashboardState.Input) in state.applying(input) }
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
