import Foundation
import TerminalViews

/// The effect of a key in a dashboard.
enum DashboardAction: Sendable, Equatable {
    /// Quits with this exit code.
    case quit(Int32)
    case pause, refresh, sort, reverse, filter, help, details, back, redraw, suspend
    /// Goes to the view that has the keys, as this key.
    case move(Key)
    /// Turns the page of the details, as this key.
    case turn(Key)
    /// A letter that means something to the content only.
    case command
}

/// The keys of the dashboards: the table from which they act, and from which help, footer and manual are made.
enum DashboardKeys {
    typealias Line = Key.Binding<DashboardAction>

    /// The keys of every dashboard.
    static let all = table()

    /// The keys of a dashboard with commands of its own. While the details fill the screen, the footer hints at what matters there.
    static func table(with commands: [Line] = [], isDetailOnly: Bool = false) -> Key.Bindings<DashboardAction> {
        let moves: [Line] = [
            Line(
                "select the row above, below",
                [.up: .move(.up), .down: .move(.down), .character("k"): .move(.up), .character("j"): .move(.down)],
                label: "↑ ↓  k j", hint: .init("select", key: "↑↓", rank: 8)),
            Line(
                "select a page above, below",
                [
                    .pageUp: .move(.pageUp), .pageDown: .move(.pageDown), .control("b"): .move(.pageUp), .control("f"): .move(.pageDown),
                    .control("u"): .move(.pageUp), .control("d"): .move(.pageDown),
                ], label: "PgUp PgDn  ^B ^F"),
            Line(
                "select the first, the last row",
                [.home: .move(.home), .end: .move(.end), .character("g"): .move(.home), .character("G"): .move(.end)],
                label: "Home End  g G"),
            Line(
                "details on the whole screen, and back", .enter, hint: .init(isDetailOnly ? "back" : "details", key: "enter", rank: 3),
                action: .details),
            Line(
                "turn the page of the details",
                [
                    .tab: .turn(.tab), .character("h"): .turn(Key(.tab, .shift)), .character("l"): .turn(.tab), .right: .turn(.tab),
                    Key(.tab, .shift): .turn(Key(.tab, .shift)), .left: .turn(Key(.tab, .shift)),
                ], label: "Tab  h l", hint: isDetailOnly ? .init("page", key: "tab", rank: 4) : nil),
            Line("pause, resume", .character(" "), .character("p"), hint: .init("pause", key: "space", rank: 5), action: .pause),
            Line("refresh now", .character("r"), hint: .init("refresh", rank: 7), action: .refresh),
            Line(
                "sort by the next column, reverse the order", [.character("s"): .sort, .character("S"): .reverse],
                hint: isDetailOnly ? nil : .init("sort", rank: 6)),
        ]
        let rest: [Line] = [
            Line(
                "filter; enter keeps it, esc clears it", [.character("/"): .filter, .escape: .back], label: "/",
                hint: isDetailOnly ? nil : .init("filter", rank: 2)),
            Line("in the filter: delete a word, everything", label: "  ^W  ^U"),
            Line("select a row, sort by a title, scroll", label: "click, wheel"),
            Line("at the top: idle, a request is in progress", label: "○  ●"),
            Line("redraw", .control("l"), action: .redraw),
            Line("suspend, until the shell's fg", .control("z"), action: .suspend),
            Line(
                "this help: arrows scroll it, esc closes it", .character("?"), .function(1), hint: .init("help", rank: 1), action: .help),
            Line(
                "quit",
                [
                    .character("q"): .quit(ExitCode.success), .control("c"): .quit(ExitCode.signal(SIGINT)),
                    .control("\\"): .quit(ExitCode.signal(SIGQUIT)),
                ], label: "q  ^C", hint: .init("quit")),
        ]
        let shownCommands = commands.map { command in
            var command = command
            if isDetailOnly { command.hint = nil }
            return command
        }
        return Key.Bindings(moves + shownCommands + rest)
    }

    /// The width at which only the hint for quitting fits.
    static let widthOfQuit = 7
}
