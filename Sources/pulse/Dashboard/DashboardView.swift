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
    private let commands: [KeyBinding]

    init(heading: StyledText, columns: [Table.Column], theme: Theme, commands: [KeyBinding] = []) {
        self.theme = theme
        self.commands = commands
        table = Table(columns: columns)
        table.headerStyle = theme.header
        table.selectedStyle = theme.selection
        header = StatusBar(leading: heading, style: theme.statusBar)
        detail = DetailPane(theme: theme)
        panes = Stack(.vertical, [table, detail.root])
        let keys = Label(KeyBinding.help(faint: theme.faint, commands: commands))
        keys.wraps = true
        help = ScrollView(keys)
        helpWindow = Centered(Border(help, title: StyledText("Keys", .bold), style: theme.accent))
        helpWindow.isHidden = true
        filter.isHidden = true
        notice.wraps = true
        notice.isHidden = true
        root = Stack(.vertical, [header, notice, Layers([panes, helpWindow]), filter, footer])
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
        model.routes.bind(with: self) { view, route in view.handle(route) }.disposed(by: bag)
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

    private func handle(_ route: DashboardState.Route) {
        switch route {
        case .help(let key): help.handle(key)
        case .list(let key):
            if !table.handle(key) { detail.handle(key) }
        case .details(let key): detail.handle(key)
        }
    }

    private nonisolated static func footerText(
        _ state: DashboardState, width: Int, _ theme: Theme, _ commands: [KeyBinding]
    ) -> StyledText {
        let filter = state.query.filter
        let hints = { KeyBinding.hints(in: $0, isDetailOnly: state.isDetailOnly, faint: theme.faint, commands: commands) }
        guard !filter.isEmpty else { return hints(width) }
        let shown = StyledText(" filter ", theme.faint) + StyledText(TerminalText.clipped(filter, to: max(1, width / 4)), .bold)
        let note = shown + StyledText("  esc clears ", theme.faint)
        let fitting = hints(width - note.width)
        guard fitting.spans.isEmpty else { return fitting + note }
        let quit = KeyBinding.hints(in: KeyBinding.widthOfQuit, faint: theme.faint)
        return quit + shown.clipped(to: width - quit.width)
    }
}

/// The way in which the list and the details share a screen.
struct DashboardLayout: Sendable, Equatable {
    /// The direction of the details: beside the list or below it.
    let axis: Stack.Axis
    let isListHidden: Bool
    let isDetailHidden: Bool
    let listHeight: Length
    let detailWidth: Length
    let detailHeight: Length
    /// The height of a notice; a small window shows only its beginning.
    let noticeHeight: Length
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
