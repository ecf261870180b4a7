// A whole program with a screen: what is up, in a table that sorts, filters and scrolls, with a chart of the selected service.
import Foundation
import NetNodes
import TerminalViews

struct Service: Sendable {
    let url: URL
    var latencies = Sparkline.Series(capacity: 60)
    var state = "waiting"
}

let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
guard !urls.isEmpty, let terminal = Terminal() else {
    FileHandle.standardError.write(Data("usage, on a terminal: ServiceScreen http://URL...\n".utf8))
    exit(64)
}
let bag = MainLoop.disposeBag
let theme = Theme(environment: ProcessInfo.processInfo.environment)

// The source: each URL is requested every second, and the results make the services.
let api = URLChain().timeout(.seconds(5)).discardingBodies()
let seconds = Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance).startWith(0)
let checks = urls.enumerated().map { index, url in
    let answers = api.route(.get, url).response.stream().map { ("status \($0.status)", $0.metrics?.total ?? .zero) }
    return seconds.flatMapFirst { _ in answers.catch { .just(($0.localizedDescription, Duration.zero)) } }.map { (index, $0) }
}
let services = Observable.merge(checks).scan(urls.map { Service(url: $0) }) { services, check in
    var services = services
    services[check.0].state = check.1.0
    services[check.0].latencies.append(check.1.1 / .milliseconds(1))
    return services
}.startWith(urls.map { Service(url: $0) }).share(replay: 1)

// The views.
let table = Table(columns: [
    .init("Service", width: .fit, minimum: 16, truncation: .middle), .init("State", width: .fit, rank: 1, minimum: 10),
    .init("Last minute", rank: 2),
])
table.headerStyle = theme.header
let chart = Chart(axis: .init(-59...0, from: "1 minute ago", to: "now"), style: theme.accent) { "\(Int($0)) ms" }
let filter = TextField(prompt: "filter ")
let footer = Label(style: theme.faint)
let root = Stack(.vertical, [table, Border(chart, title: "latency", style: theme.border), filter, footer])

// The keys: one table has what they do and the footer.
let focus = Focus(in: root)
let keys: Focus.Bindings = [
    Key.Binding("filter the services", .character("/"), hint: "filter") { focus.focusedView = filter },
    Key.Binding("quit", .escape, .character("q"), hint: .init("quit", rank: -1)) { MainLoop.stop() },
]
focus.bindings = keys

// The streams between them.
let keyboard = Keyboard()
keyboard.keys.bind(to: focus.rx.keys).disposed(by: bag)
let shown = Observable.combineLatest(services, filter.text) { services, text in
    services.filter { text.isEmpty || $0.url.absoluteString.contains(text) }
}
shown.map { $0.map { Table.Row(id: $0.url.absoluteString, ["\($0.url)", "\($0.state)", .sparkline($0.latencies, theme.accent)]) } }
    .bind(to: table.rx.rows).disposed(by: bag)
Observable.combineLatest(services, table.selection) { services, id in services.first { $0.url.absoluteString == id }?.latencies.values ?? []
}
.map { values in values.enumerated().map { Chart.Point(x: Double($0.offset + 1 - values.count), y: $0.element) } }
.bind(to: chart.rx.points).disposed(by: bag)
let screen = Screen(root: root, terminal: terminal)
screen.size.map { keys.hints(in: $0.width) }.bind(to: footer.rx.content).disposed(by: bag)

exit(screen.run(reportsMouse: true))
