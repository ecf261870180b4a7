/// A place in the source text that a `trace()` remembers.
public final class TracedPlace: Sendable, CustomStringConvertible {
    /// The place of the chain whose error is being reported; nil where none was traced. For `Hooks.unhandledError`.
    @TaskLocal public static var current: TracedPlace?

    /// The module and the file.
    public let file: StaticString
    /// The line, counted from 1.
    public let line: UInt

    init(file: StaticString, line: UInt) {
        self.file = file
        self.line = line
    }

    public var description: String { "\(file):\(line)" }
}
