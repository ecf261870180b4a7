import NetNodes
import TerminalViews

/// The views of a dashboard, bound to the streams of its model.
@MainActor
final class DashboardView {
    let root: View
    let table: Table
    private let header: StatusBar
    private let footer = Label()
    private let panes: Stack
    private let detail = DetailPane()
    private let help = Centered(Border(Label(DashboardView.helpText), title: StyledText("Keys", .bold), style: Style(.cyan)))

    init(title: StyledText, columns: [Table.Column], placeholder: StyledText) {
        table = Table(columns: columns)
        table.placeholder = placeholder
        header = StatusBar(leading: title)
        panes = Stack(.vertical, [table, detail.root])
        root = Layers([Stack(.vertical, [header, panes, footer]), help])
        help.isHidden = true
    }

    /// Binds the model to the views until the bag is disposed.
    func bind(to model: DashboardModel, keys: Observable<Key>, size: Observable<Size>, isLoading: Observable<Bool>, bag: DisposeBag) {
        model.rows.bind(to: table.rx.rows).disposed(by: bag)
        model.state.map { $0.query.sorting }.bind(to: table.rx.sorting).disposed(by: bag)
        model.state.map(\.isDetailOnly).bind(to: table.rx.isHidden).disposed(by: bag)
        model.state.map { !$0.isHelpShown }.bind(to: help.rx.isHidden).disposed(by: bag)
        model.state.map(Self.footerText).bind(to: footer.rx.content).disposed(by: bag)
        model.status.bind(to: header.rx.trailing).disposed(by: bag)
        isLoading.bind(to: header.rx.isLoading).disposed(by: bag)
        model.detail.bind(with: detail) { pane, detail in pane.show(detail) }.disposed(by: bag)
        size.map { $0.width >= Self.wideScreen ? Stack.Axis.horizontal : .vertical }.bind(to: panes.rx.axis).disposed(by: bag)
        let isAlone = model.state.map(\.isDetailOnly).distinctUntilChanged()
        let room = Observable.combineLatest(size, isAlone) { size, isAlone in
            isAlone ? (Length.flexible(), Length.flexible()) : Self.detailRoom(size)
        }
        room.bind(with: detail) { pane, room in pane.occupy(room) }.disposed(by: bag)
        keys.bind(with: table) { table, key in table.handle(key) }.disposed(by: bag)
    }

    /// The width of the detail pane beside the list, and its height below it.
    private nonisolated static func detailRoom(_ size: Size) -> (width: Length, height: Length) {
        (.fixed(min(size.width * 2 / 5, 80)), .fixed(min(max(size.height * 3 / 8, 3), 16)))
    }

    private nonisolated static func footerText(_ state: DashboardState) -> StyledText {
        if state.isEditingFilter { return StyledText(" / ", .bold) + StyledText(state.query.filter) + StyledText("▏", .dim) }
        var hint = StyledText("")
        for (key, name) in keyHints {
            hint += StyledText(hint.spans.isEmpty ? " " : "  ") + StyledText(key, .bold) + StyledText(" \(name)", .dim)
        }
        guard !state.query.filter.isEmpty else { return hint }
        return StyledText(" filter ", .dim) + StyledText(state.query.filter, .bold) + StyledText("  esc clears  ", .dim) + hint
    }

    private nonisolated static let wideScreen = 140
    private nonisolated static let keyHints: [(key: String, name: String)] = [
        ("↑↓", "select"), ("enter", "details"), ("p", "pause"), ("r", "refresh"), ("s", "sort"), ("/", "filter"), ("?", "help"),
        ("q", "quit"),
    ]
    private static let helpText: StyledText = """

        ↑ ↓ page up page down   select
        enter                   toggle full-screen details
        p                       pause, resume
        r                       refresh now
        s  S                    sort by the next column; reverse the order
        /                       filter; enter keeps it, esc clears it
        ctrl-l                  redraw
        ctrl-z                  suspend; resume with the shell's fg
        q  ctrl-c               quit

        """
}

/// The details of the selected entry.
@MainActor
private final class DetailPane: Sendable {
    let root: Border
    private let facts = Label()
    private let chart = Sparkline()

    init() {
        root = Border(Stack(.vertical, [facts, chart]))
    }

    func occupy(_ room: (width: Length, height: Length)) {
        (root.width, root.height) = room
    }

    func show(_ detail: Entry.Detail?) {
        root.title = detail?.title ?? ""
        facts.content = detail?.facts ?? StyledText("Nothing is selected.", .dim)
        chart.series = detail?.history ?? []
        chart.style = detail?.historyStyle ?? .plain
    }
}
