/// Splits the arguments of a command into flags, their values, and operands.
///
/// Supports `--name value`, `--name=value`, `-n value`, `-nvalue` and `--`, after which nothing is a flag.
struct ArgumentReader {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private let command: String

    /// - Throws: `UsageError` for a flag that is unknown, lacks its value, or has an unexpected one.
    init(_ words: some Sequence<String>, command: String, flags: [Flag]) throws {
        self.command = command
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            guard word.count > 1, word.hasPrefix("-") else {
                operands.append(word)
                continue
            }
            let (name, attached) = Self.split(word, flags)
            let flag = try Self.find(name, among: flags + [.help], command: command)
            guard let placeholder = flag.value else {
                guard attached == nil else { throw UsageError("pulse \(command): \(flag.name) takes no value") }
                values[flag.name, default: []].append("")
                continue
            }
            guard let value = attached ?? words.popFirst() else {
                throw UsageError("pulse \(command): \(name) needs a value: \(placeholder)")
            }
            values[flag.name, default: []].append(value)
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the last value of the flag: a repeated flag overrides earlier ones.
    func value(_ name: String) -> String? { values[name]?.last }

    func allValues(_ name: String) -> [String] { values[name] ?? [] }

    private static func split(_ word: String, _ flags: [Flag]) -> (name: String, attached: String?) {
        if word.hasPrefix("--") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
        }
        let short = String(word.prefix(2))
        guard word.count > 2, flags.contains(where: { $0.short == short && $0.value != nil }) else { return (word, nil) }
        return (short, String(word.dropFirst(2)))
    }

    private static func find(_ name: String, among flags: [Flag], command: String) throws -> Flag {
        if let flag = flags.first(where: { $0.name == name || $0.short == name }) { return flag }
        let known = flags.flatMap { [$0.name, $0.short].compactMap(\.self) }
        let hint = nearestWord(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("pulse \(command): unknown flag \(name.quotedFlag)\(hint)")
    }
}
