import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("The arguments of watch", .countsResources)
struct WatchArgumentTests {
    private func options(_ words: String...) throws -> WatchOptions? {
        guard case .watch(let options) = try Invocation(parsing: ["watch"] + words) else { return nil }
        return options
    }

    @Test(
        arguments: [
            ("shop=http://a/b", "shop", "http://a/b"), ("two words=a", "two words", "http://a"),
            ("a=b=c.example/x?y=z", "a", "http://b=c.example/x?y=z"),
        ])
    func `An endpoint may have a name`(operand: String, name: String, address: String) throws {
        let target = try #require(try options(operand)?.targets.first)
        #expect(target.name == name)
        #expect(target.id == name)
        #expect(target.url.absoluteString == address)
    }

    @Test(arguments: ["http://a/?b=c", "a/b=c", "a?b=c", "a:80/=x"])
    func `The = of a query and of a path is none of a name`(operand: String) throws {
        #expect(try options(operand)?.targets.first?.name == nil)
    }

    @Test func `Endpoints are told apart: repeated ones count once, and those of the same appearance get numbers`() throws {
        #expect(
            try options("a", "a", "http://a?x=1", "http://a?x=2")?.targets.map(\.id) == [
                "http://a", "http://a?x=***", "http://a?x=*** (2)",
            ])
    }

    @Test func `Percent-encoded names are shown decoded`() throws {
        #expect(try options("http://h/caf%C3%A9%20x")?.targets.first?.id == "http://h/café x")
        #expect(try options("http://h/%ff")?.targets.first?.id == "http://h/%ff")
    }

    @Test(
        arguments: [
            (["a=http://x", "a=http://y"], "pulse watch: two endpoints are named 'a'"),
            (["=http://x"], "pulse watch: an endpoint without a name before its =; NAME=URL is expected"),
            (["a", "--export", "x.txt"], "pulse watch: --export needs a file that ends in .json or .csv"),
            (["a", "--theme", "pink"], "pulse watch: --theme is light, dark or auto, not 'pink'"),
            (["a", "--record", "x/"], "pulse watch: --record needs the name of a file"),
            (["a", "--speed", "2"], "pulse watch: --speed is that of a --replay"),
            (["a", "--replay", "x"], "pulse watch: --replay shows a recording: without URLs, --config, --record and --publish"),
            (["--replay", "x", "--speed", "0"], "pulse watch: --speed is a number above 0, such as 60, not '0'"),
            (["--replay", "x", "--speed", "nan"], "pulse watch: --speed is a number above 0, such as 60, not 'nan'"),
            (["--bell"], "pulse watch: missing URL; see pulse help watch"),
        ])
    func `A usage error is reported in one line`(words: [String], sentence: String) throws {
        #expect(throws: UsageError(sentence)) { try Invocation(parsing: ["watch"] + words) }
    }
}

@Suite("The keys of the dashboard are explained", .countsResources)
struct DashboardKeysTests {
    @Test(arguments: [20, 40, 80, 300]) func `The footer always has q, and as many others as fit`(width: Int) {
        let hints = DashboardKeys.all.hints(in: width)
        #expect(hints.string.hasSuffix("q quit"))
        #expect(hints.width <= width)
        #expect(hints.string.contains("? help"))
        #expect(DashboardKeys.all.hints(in: 300).string.contains("↑↓ select"))
    }

    @Test func `Below details on the whole screen the footer says what keys do there`() {
        let keys = DashboardKeys.table(isDetailOnly: true)
        let hints = keys.hints(in: 120).string
        #expect(hints.hasPrefix(" ↑↓ select  enter back  tab page  space pause") && !hints.contains("sort"))
        #expect(keys.hints(in: 7).string == " q quit")
    }

    @Test func `Every key that does something has a line in the help, and every letter one action`() {
        let help = DashboardKeys.all.help().string
        for line in DashboardKeys.all.lines { #expect(help.contains("\(line.label)") && help.contains(line.help)) }
        let keys = DashboardKeys.table(with: DashboardKeys.ofInspect).lines.flatMap(\.actions).map(\.key)
        #expect(Set(keys).count == keys.count)
    }
}
