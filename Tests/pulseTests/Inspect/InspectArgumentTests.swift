import StreamsTesting
import Testing

@testable import pulse

@Suite("Arguments of pulse inspect", .countsResources)
struct InspectArgumentTests {
    private func options(_ words: String...) throws -> InspectOptions? {
        guard case .inspect(let options) = try Invocation(parsing: ["inspect"] + words) else { return nil }
        return options
    }

    @Test func `A process is named by its number, its socket, or not at all`() throws {
        #expect(try options()?.target == .only)
        #expect(try options("4242")?.target == .process(4242))
        #expect(try options("/tmp/1-a.sock")?.target == .socket("/tmp/1-a.sock"))
        #expect(try options("./7")?.target == .socket("./7"))
    }

    @Test func `The form is the screen unless a flag says otherwise, and a condition is for scripts`() throws {
        #expect(try options()?.form == .screen)
        for form in InspectOptions.Form.allCases where form != .screen { #expect(try options(form.rawValue)?.form == form) }
        let options = try options("7", "--fail-on", "leaked > 0", "--over", "0.5", "-t", "2", "-i", "3", "--theme", "light", "--no-mouse")
        #expect(options?.form == .text && options?.condition?.number == 0 && options?.span == .milliseconds(500))
        #expect(options?.timeout == .seconds(2) && options?.interval == .seconds(3))
        #expect(options?.isLight == true && options?.reportsMouse == false)
    }

    @Test(
        arguments: [
            (["1", "2"], "pulse inspect: unexpected argument '2'; see pulse help inspect"),
            ([""], "pulse inspect: an empty argument; a PID or the path of a socket is expected"),
            (["0"], "pulse inspect: '0' is not the number of a process"),
            (["99999999999"], "pulse inspect: '99999999999' is not the number of a process"),
            (["--json", "--dot"], "pulse inspect: either --json or --dot, not both"),
            (["--list", "3"], "pulse inspect: --list names processes: without PID, PATH and --fail-on"),
            (["--list", "--fail-on", "nodes > 1"], "pulse inspect: --list names processes: without PID, PATH and --fail-on"),
            (["--limit", "x"], "pulse inspect: --limit is a number from 0 to 100000, not 'x'"),
            (["--skip", "100001"], "pulse inspect: --skip is a number from 0 to 100000, not '100001'"),
            (["--over", "3"], "pulse inspect: --over is that of a --fail-on"),
            (["--interval", "0"], "pulse inspect: --interval is a time in seconds, such as 0.5, not '0'"),
            (["--theme", "pink"], "pulse inspect: --theme is light, dark or auto, not 'pink'"),
        ])
    func `A usage error is reported in one line`(words: [String], sentence: String) {
        #expect(throws: UsageError(sentence)) { try Invocation(parsing: ["inspect"] + words) }
    }
}
