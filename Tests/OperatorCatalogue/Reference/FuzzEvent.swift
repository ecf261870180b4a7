import StreamsTesting

/// An event in the notation of the fuzzer: errors are compared by their names.
public enum FuzzEvent: Sendable, Equatable {
    case next(Int)
    case error(String)
    case completed

    public var isStop: Bool {
        if case .next = self { false } else { true }
    }
}

extension FuzzEvent {
    public init(_ event: Event<Int>) {
        switch event {
        case .next(let element): self = .next(element)
        case .error(let error): self = .error(Self.name(of: error))
        case .completed: self = .completed
        }
    }

    public var event: Event<Int> {
        switch self {
        case .next(let element): .next(element)
        case .error(let name): .error(TestError(name))
        case .completed: .completed
        }
    }

    /// Returns the name of an error; errors of the library are named by the code that makes them.
    private static func name(of error: any Error) -> String {
        switch error {
        case let error as TestError: error.name
        case StreamError.timeout(let time): "StreamError.timeout(after: .seconds(\(Int(time.components.seconds))))"
        case let error as StreamError: "StreamError.\(error)"
        default: "\(error)"
        }
    }
}
