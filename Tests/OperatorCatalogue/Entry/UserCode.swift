import StreamsTesting

/// Stands for everything that a user writes: each closure of an operator in the table calls it.
///
/// It notes which closures ran, and throws or acts in one of them when told to. It also notes when it was called, or one of its elements
/// compared, hashed or released, while the library held a lock (law 3).
public final class UserCode: Sendable {
    private struct State {
        var calls: [Int: Int] = [:]
        var violations: [String] = []
        var failure: (closure: Int, error: any Error)?
        var action: (@Sendable (Int) -> Void)?
    }

    private let state = Lock(State())

    public init() {}

    /// The number of times that each closure ran.
    public var calls: [Int: Int] { state.withLock { $0.calls } }

    /// The violations that happened under a lock.
    public var violations: [String] { state.withLock { $0.violations } }

    /// Makes closure number `closure` throw `error` from now on.
    public func fail(in closure: Int, with error: any Error) {
        state.withLock { $0.failure = (closure, error) }
    }

    /// Calls `action` from inside every closure, with its number.
    public func onCall(_ action: @escaping @Sendable (Int) -> Void) {
        state.withLock { $0.action = action }
    }

    /// The body of closure number `closure`, which returns `value`.
    public func callAsFunction<Value>(_ value: Value, closure: Int = 0) throws -> Value {
        try run(closure)
        return value
    }

    /// The body of a closure that may not throw.
    public func note(closure: Int = 0) {
        try? run(closure)
    }

    /// An element that watches over law 3.
    public func element(_ value: Int) -> Probed {
        Probed(value, watch: self)
    }

    /// Notes a violation if the running thread holds a lock of the library.
    public func expectNoLock(_ what: @autoclosure () -> String) {
        guard LockProbe.held > 0 else { return }
        let text = what()
        state.withLock { $0.violations.append(text) }
    }

    private func run(_ closure: Int) throws {
        expectNoLock("closure \(closure) was called")
        let (failure, action) = state.withLock { state in
            state.calls[closure, default: 0] += 1
            return (state.failure, state.action)
        }
        action?(closure)
        if let failure, failure.closure == closure { throw failure.error }
    }
}

/// An element that must not be compared, hashed or released under a lock.
public final class Probed: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let value: Int
    private let watch: UserCode?

    public init(_ value: Int, watch: UserCode? = nil) {
        self.value = value
        self.watch = watch
    }

    deinit {
        watch?.expectNoLock("element \(value) was released")
    }

    public static func == (left: Probed, right: Probed) -> Bool {
        left.watch?.expectNoLock("element \(left.value) was compared")
        return left.value == right.value
    }

    public static func < (left: Probed, right: Probed) -> Bool {
        left.watch?.expectNoLock("element \(left.value) was ordered")
        return left.value < right.value
    }

    public func hash(into hasher: inout Hasher) {
        watch?.expectNoLock("element \(value) was hashed")
        hasher.combine(value)
    }

    public var description: String { "\(value)" }
}

/// An error with an identity: this very error must arrive, and never a copy or a wrapper.
public final class ProbeError: Error {
    public init() {}
}

/// An error of one type around any other.
public struct TypedFailure: Error {
    public let error: any Error
}
