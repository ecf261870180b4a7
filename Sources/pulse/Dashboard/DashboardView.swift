import NetNodes
import TerminalViews

/// The views of a dashboard, bound to the streams of its model.
@MainActor
final class DashboardView {
    let root: View
    let table: Table
    private let header: StatusBar
    private let notice = Label()
    private let filter = TextField(prompt: StyledText(" / ", .bold), placeholder: StyledText("enter keeps the filter, esc clears it", .dim))
    private let footer = Label()
    private let panes: Stack
    private let detail: DetailPane
    private let help: ScrollView
    private let helpWindow: Centered
    private let theme: Theme
    private let commands: [DashboardKeys.Line]
    private let focus: Focus
    private var pane = DashboardState.Pane.list

    init(heading: StyledText, columns: [Table.Column], theme: Theme, commands: [DashboardKeys.Line] = []) {
        self.theme = theme
        self.commands = commands
        table = Table(columns: columns)
        table.headerStyle = theme.header
        table.selectedStyle = theme.selection
        header = StatusBar(leading: heading, style: theme.statusBar)
        detail = DetailPane(theme: theme)
        panes = Stack(.vertical, [table, detail.root])
        let keys = Label(DashboardKeys.table(with: commands).help(style: theme.faint))
        keys.wraps = true
        help = ScrollView(keys)
        helpWindow = Centered(Border(help, title: StyledText("Keys", .bold), style: theme.accent))
        helpWindow.isHidden = true
        filter.isHidden = true
        notice.wraps = true
        notice.isHidden = true
        let whole = Stack(.vertical, [header, notice, Layers([panes, helpWindow]), filter, footer])
        root = DashboardRoot(whole, list: table, details: detail.pages)
        focus = Focus(in: root)
    }

    /// Binds the model to the views until the bag is disposed.
    func bind(to model: DashboardModel, size: Observable<Size>, isLoading: Observable<Bool>, bag: DisposeBag) {
        let state = model.state
        model.rows.bind(to: table.rx.rows).disposed(by: bag)
        model.isSettled.bind(with: table) { table, isSettled in table.holdsFirstRow = isSettled }.disposed(by: bag)
        model.columns.bind(to: table.rx.columns).disposed(by: bag)
        model.placeholder.bind(to: table.rx.placeholder).disposed(by: bag)
        state.map { $0.query.sorting }.bind(to: table.rx.sorting).disposed(by: bag)
        model.detail.bind(with: detail) { pane, detail in pane.show(detail) }.disposed(by: bag)
        model.heading.bind(to: header.rx.leading).disposed(by: bag)
        model.notice.bind(to: notice.rx.content).disposed(by: bag)
        model.notice.map(\.spans.isEmpty).bind(to: notice.rx.isHidden).disposed(by: bag)
        model.status.bind(to: header.rx.trailing).disposed(by: bag)
        isLoading.bind(to: header.rx.isLoading).disposed(by: bag)
        state.map { !$0.isHelpShown }.bind(to: helpWindow.rx.isHidden).disposed(by: bag)
        state.map(\.filter).bind(to: filter.rx.input).disposed(by: bag)
        state.map { !$0.isEditingFilter }.bind(to: filter.rx.isHidden).disposed(by: bag)
        state.map(\.isEditingFilter).bind(to: footer.rx.isHidden).disposed(by: bag)
        let rowCount = model.rows.map(\.count).startWith(0).distinctUntilChanged()
        let layout = Observable.combineLatest(size, state.map(\.isDetailOnly), rowCount) {
            DashboardLayout($0, isDetailOnly: $1, rowCount: $2)
        }
        layout.distinctUntilChanged().bind(with: self) { view, layout in view.arrange(layout) }.disposed(by: bag)
        let hints = Observable.combineLatest(size, state) { [theme, commands] in
            Self.footerText($1, width: $0.width, theme, commands)
        }
        hints.distinctUntilChanged().bind(to: footer.rx.content).disposed(by: bag)
        // Opening the details selects the shown entry, which otherwise would be whichever is first.
        state.map(\.isDetailOnly).distinctUntilChanged().filter { $0 }
            .bind(with: self) { view, _ in view.chooseSelection() }
            .disposed(by: bag)
        state.map(\.pane).distinctUntilChanged().bind(with: self) { view, pane in view.show(pane) }.disposed(by: bag)
        model.viewKeys.bind(with: self) { view, key in view.handle(key) }.disposed(by: bag)
    }

    private func arrange(_ layout: DashboardLayout) {
        panes.axis = layout.axis
        notice.height = layout.noticeHeight
        table.isHidden = layout.isListHidden
        table.height = layout.listHeight
        detail.root.isHidden = layout.isDetailHidden
        (detail.root.width, detail.root.height) = (layout.detailWidth, layout.detailHeight)
    }

    private func chooseSelection() {
        let selected = table.selectedID
        table.selectedID = selected
    }

    private func show(_ pane: DashboardState.Pane) {
        self.pane = pane
        focus.scope = pane == .help ? helpWindow : nil
        switch pane {
        case .list: focus.focusedView = table
        case .details: focus.focusedView = nil
        case .filter: focus.focusedView = filter
        case .help: focus.focusedView = help
        }
    }

    private func handle(_ key: Key) {
        focus.handle(key)
        // A click reaches the view under it, but the keys stay where the state says.
        if key.mouse != nil { show(pane) }
    }

    private nonisolated static func footerText(
        _ state: DashboardState, width: Int, _ theme: Theme, _ commands: [DashboardKeys.Line]
    ) -> StyledText {
        let filter = state.query.filter
        let keys = DashboardKeys.table(with: commands, isDetailOnly: state.isDetailOnly)
        let hints = { keys.hints(in: $0, style: theme.faint) }
        guard !filter.isEmpty else { return hints(width) }
        let shown = StyledText(" filter ", theme.faint) + StyledText(TerminalText.clipped(filter, to: max(1, width / 4)), .bold)
        let note = shown + StyledText("  esc clears ", theme.faint)
        let fitting = hints(width - note.width)
        guard fitting.spans.isEmpty else { return fitting + note }
        let quit = keys.hints(in: DashboardKeys.widthOfQuit, style: theme.faint)
        return quit + shown.clipped(to: width - quit.width)
    }
}

/// Everything on the screen. Keys that the focused view leaves, such as the arrows while the filter is open, are the list's, and then the
/// details'. On a screen of details alone these come first.
private final class DashboardRoot: View {
    private let list: Table
    private let details: View

    init(_ content: View, list: Table, details: View) {
        (self.list, self.details) = (list, details)
        super.init()
        subviews = [content]
    }

    override func handle(_ key: Key) -> Bool {
        key.mouse == nil && (list.isHidden ? [details, list] : [list, details]).contains { $0.handle(key) }
    }
}

/// The way in which the list and the details share a screen.
struct DashboardLayout: Sendable, Equatable {
    /// The direction of the details: beside the list or below it.
    let axis: Stack.Axis
    let isListHidden: Bool
    let isDetailHidden: Bool
    let listHeight: View.Length
    let detailWidth: View.Length
    let detailHeight: View.Length
    /// The height of a notice; a small window shows only its beginning.
    let noticeHeight: View.Length
    /// The footer's columns.
    let width: Int

    /// - Parameter rowCount: the number of rows of the list; the details get the height that these do not need.
    init(_ size: Size, isDetailOnly: Bool, rowCount: Int) {
        let isWide = size.width >= Self.wideScreen
        width = size.width
        axis = isWide ? .horizontal : .vertical
        isListHidden = isDetailOnly
        noticeHeight = size.height < Self.leastHeight ? .fixed(1) : .fit
        isDetailHidden = !isDetailOnly && (size.height < Self.leastHeight || size.width < Self.leastWidth)
        detailWidth = isWide && !isDetailOnly ? .fixed(min(size.width * 2 / 5, 100)) : .flexible()
        // Without rows, a line in their place gives the reason.
        listHeight = .flexible(maximum: max(rowCount, 1) + 1)
        detailHeight = isWide || isDetailOnly ? .flexible() : .flexible(weight: 0, minimum: min(max(size.height * 3 / 8, 8), 20))
    }

    private static let wideScreen = 140
    /// The least height for the list and the details; in a lower window the list gets all of it.
    private static let leastHeight = 16
    private static let leastWidth = 48
}
