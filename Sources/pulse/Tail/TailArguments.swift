import Foundation

extension Subcommand {
    static let tail = Subcommand(
        name: "tail",
        operand: "FILE...",
        summary: "follow log files and the output of a command",
        usages: ["tail [flags] FILE...", "tail [flags] [FILE...] -- COMMAND [ARGUMENT...]"],
        description: """
            Shows the last lines of the files and every line that is written to them, as tail -F does: over rotation and
            truncation, and from its beginning if a file does not exist yet. After -- is a command whose output is followed,
            too; it runs without a shell and without a terminal, and is ended with SIGTERM when pulse ends. Each file has a
            color. JSON lines are laid out on the screen, where / filters, and space pauses; ? shows the keys.

            Without a terminal, the lines are printed as they are written, with the name of the file before them if there are
            several. Characters that could control a terminal are shown as pictures.
            """,
        examples: """
            pulse tail app.log db.log
            pulse tail -n 100 app.log -- make test
            """,
        sections: [
            FlagSection(
                title: "Flags",
                flags: [
                    Flag("--lines", short: "-n", value: "COUNT", help: "begin with so many lines of each file (10)")
                ] + WatchFlags.ofScreens)
        ],
        completion: .files,
        exitCodes: """
            that of the command, or 128 and the number of the signal that ended it; 1 if no file can be followed; 2
            for a usage error; 126 or 127 if the command cannot be run, or is not found; 130 after Ctrl-C.
            """
    ) { .tail(try $0.tailOptions()) }
}

/// The options of `pulse tail`.
struct TailOptions: Equatable {
    var files: [URL] = []
    /// The program and its arguments; empty without one.
    var command: [String] = []
    /// The lines of each file to begin with.
    var lines = 10
    /// Whether the background is light; `nil` if the terminal decides.
    var isLight: Bool?
    var reportsMouse = true
}

extension ArgumentReader {
    fileprivate func tailOptions() throws -> TailOptions {
        var options = TailOptions()
        let names = operands.prefix(operandsBeforeEnd ?? operands.count)
        options.command = Array(operands.dropFirst(names.count))
        guard !names.isEmpty || !options.command.isEmpty else {
            throw UsageError("pulse tail: a file, or -- and a command, is expected; see pulse help tail")
        }
        guard operandsBeforeEnd == nil || !options.command.isEmpty else { throw UsageError("pulse tail: no command follows --") }
        guard !names.contains(""), options.command.first != "" else {
            throw UsageError("pulse tail: an empty argument; a file is expected")
        }
        guard !names.contains("-") else {
            throw UsageError("pulse tail: standard input is no file to follow; for a program say pulse tail -- COMMAND")
        }
        options.files = names.map { URL(filePath: $0, directoryHint: .notDirectory) }
        options.lines = try number("--lines", upTo: 1_000_000, command: "tail") ?? options.lines
        options.isLight = try isLight()
        options.reportsMouse = !has("--no-mouse")
        return options
    }
}
