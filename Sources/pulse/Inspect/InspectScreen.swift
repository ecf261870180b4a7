import NetNodes
import TerminalViews

extension DashboardProgram {
    /// Returns the dashboard of an inspected process.
    static func inspecting(_ source: InspectSource, board: InspectBoard, theme: Theme, reportsMouse: Bool = true) -> DashboardProgram {
        DashboardProgram(
            heading: StyledText("pulse inspect", .bold),
            columns: InspectColumn.columns(hasErrors: false),
            sortableColumns: InspectColumn.sortable,
            largestFirst: InspectColumn.largestFirst,
            commands: KeyBinding.ofInspect,
            waiting: "Waiting for the first snapshot.",
            theme: theme,
            reportsMouse: reportsMouse,
            content: { inputs in
                source.events(inputs)
                    .scan(board) { board, event in board.applying(event) }
                    .distinctUntilChanged(by: { $0.version == $1.version })
                    .map { $0.content(theme) }
            },
            isLoading: .just(false)
        )
    }
}

extension KeyBinding {
    /// The keys that only the screen of an inspected process uses.
    static let ofInspect = [
        KeyBinding(keys: "d", meaning: "mark now, and show what grows from then on; back to the tree", hint: ("d", "what grew")),
        KeyBinding(keys: "a", meaning: "show the operators that the package built, too; hide them", hint: ("a", "all")),
        KeyBinding(keys: "c  C", meaning: "collapse or expand the row, all chains", hint: ("c", "collapse")),
    ]
}
