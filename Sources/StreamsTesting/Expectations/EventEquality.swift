import Streams

extension Event: Equatable where Element: Equatable {
    /// Elements are compared as such, errors by their description.
    public static func == (left: Event, right: Event) -> Bool {
        switch (left, right) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)): String(reflecting: left) == String(reflecting: right)
        case (.completed, .completed): true
        default: false
        }
    }
}
