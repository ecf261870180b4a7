import NetNodes
import StreamsInspector
import TerminalViews
import Testing

@testable import pulse

/// The screens of an inspected process as text.
@MainActor
struct InspectScreens {
    /// An action of a person, or an answer of a process.
    enum Step: Sendable {
        case key(Key)
        case event(InspectEvent)

        static func keys(_ text: String) -> [Step] { text.map { .key($0 == "\r" ? .enter : .character($0)) } }
        static func snapshot(_ snapshot: InspectorSnapshot, selection: String? = nil) -> Step {
            .event(.snapshot(snapshot, selection: selection))
        }
    }

    /// The screen after these steps, without the spaces at the ends of its lines.
    func screen(_ width: Int, _ height: Int, _ steps: [Step]) -> [String] {
        let bag = DisposeBag()
        let size = Size(width: width, height: height)
        let (typed, events) = (PublishSubject<Key>(), PublishSubject<InspectEvent>())
        let view = DashboardView(
            heading: "pulse inspect", columns: InspectColumn.columns(hasErrors: false), theme: .dark, commands: DashboardKeys.ofInspect)
        let state = DashboardModel.state(
            of: typed.asObservable(), shownColumns: view.table.shownColumns, sortableColumns: InspectColumn.sortable,
            largestFirst: InspectColumn.largestFirst)
        let selection = view.table.selection
        let commands = DashboardModel.commands(typed.asObservable(), state, selection: selection)
        let content = Observable.merge(events.asObservable(), commands.map { .command($0) })
            .scan(InspectBoard()) { board, event in board.applying(event) }
            .startWith(InspectBoard())
            .map { $0.content(.dark) }
            .share(replay: 1, scope: .whileConnected)
        let model = DashboardModel(
            content: content, selection: selection, keys: typed.asObservable(), state: state, waiting: "Waiting for the first snapshot.")
        view.bind(to: model, size: .just(size), isLoading: .just(false), bag: bag)
        _ = view.root.snapshot(in: size)
        for step in steps {
            switch step {
            case .key(let key): typed.onNext(key)
            case .event(let event): events.onNext(event)
            }
            _ = view.root.snapshot(in: size)
        }
        return view.root.snapshot(in: size).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
