/// A place in the source text that a `trace()` remembers.
public final class TracedPlace: Sendable, CustomStringConvertible {
    /// What the chain is called, where the trace was given a name.
    public let name: String?
    /// The module and the file.
    public let file: StaticString
    /// The line, counted from 1.
    public let line: UInt

    init(name: String?, file: StaticString, line: UInt) {
        self.name = name
        self.file = file
        self.line = line
    }

    /// The name, if there is one, the file and the line.
    public var description: String {
        name.map { "\($0) (\(file):\(line))" } ?? "\(file):\(line)"
    }
}
