import Foundation

/// The arguments of the command line.
struct Arguments {
    /// A command line that means nothing, in one line.
    struct Failure: Error {
        let message: String
    }

    static let usage = """
        usage: StreamsBenchmarks [--filter NAME] [--json FILE] [--quick] [--check [FACTOR]] [--runs N] [--help]

          --filter NAME     only the rows whose name contains NAME, in capitals or not
          --json FILE       also writes the rows to FILE
          --quick           fewer runs a row: a first look, not a figure to keep
          --check [FACTOR]  exits with 1 if one of the first ten rows costs more than FACTOR times its limit (1.1 if not given)
          --runs N          does N runs of each row, and measures nothing: for a tool that counts instructions
          --help            shows this

        A row is reached when its minimum is within 10 % of its limit. All limits are in floors; a floor is an uncontended
        compare-and-swap pair and one closure call, measured between the runs of each row.
        """

    private(set) var filter = ""
    private(set) var jsonFile: URL?
    private(set) var isQuick = false
    private(set) var checkFactor: Double?
    private(set) var runs: Int?
    private(set) var wantsHelp = false

    init(_ words: some Sequence<String>) throws(Failure) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--filter": filter = try Self.value(of: word, from: &words)
            case "--json": jsonFile = try Self.writableFile(Self.value(of: word, from: &words))
            case "--quick": isQuick = true
            case "--check": checkFactor = try Self.factor(from: &words)
            case "--runs": runs = try Self.number(Self.value(of: word, from: &words))
            case "--help", "-h": wantsHelp = true
            default: throw Failure(message: "unknown argument '\(word)'; --help shows what there is")
            }
        }
    }

    private static func value(of option: String, from words: inout ArraySlice<String>) throws(Failure) -> String {
        guard let value = words.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
            throw Failure(message: "\(option) needs a value")
        }
        return value
    }

    private static func number(_ word: String) throws(Failure) -> Int {
        guard let number = Int(word), number > 0 else { throw Failure(message: "--runs takes a positive number, not '\(word)'") }
        return number
    }

    private static func factor(from words: inout ArraySlice<String>) throws(Failure) -> Double {
        guard let word = words.first, !word.hasPrefix("--") else { return 1.1 }
        guard let factor = Double(word), factor > 0, factor.isFinite else {
            throw Failure(message: "--check takes a positive number, not '\(word)'")
        }
        words.removeFirst()
        return factor
    }

    private static func writableFile(_ path: String) throws(Failure) -> URL {
        let file = URL(fileURLWithPath: path)
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
        guard !(exists && isDirectory.boolValue), FileManager.default.isWritableFile(atPath: file.deletingLastPathComponent().path) else {
            throw Failure(message: "cannot write to '\(path)'")
        }
        return file
    }
}
