/// A source location recorded by `trace()`.
public final class TracedPlace: Sendable, CustomStringConvertible {
    /// The name passed to the trace, if any.
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
