/// A step of a chain: a name, and a function of an input and of the rest of the chain.
///
/// You write a step once, and it has three forms: a node of `NodeKit` calls its `next`, a middleware of a chain calls the part of the chain
/// that it encloses, and ``ObservableType/through(_:to:)`` calls a closure. Steps are values; one step performs any number of concurrent
/// operations.
///
/// ```swift
/// let late = Step<Int, Int, Int, Int>.after("Late") { $0.delay(.seconds(1), scheduler: scheduler) }
/// let squares = numbers.through(late, to: { .just($0 * $0) })
/// ```
public struct Step<Input: Sendable, Output: Sendable, NextInput: Sendable, NextOutput: Sendable>: Sendable {
    /// The rest of the chain, as a step calls it.
    public typealias Rest = @Sendable (NextInput) -> Observable<NextOutput>

    /// The name of the step in descriptions and logs.
    public let name: String
    /// Returns the outputs for an input: a cold stream.
    public let stream: @Sendable (_ input: Input, _ rest: @escaping Rest) -> Observable<Output>

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: its name in descriptions and logs.
    ///   - stream: returns a cold stream, usually by calling `rest` and applying operators to the result.
    public init(_ name: String, _ stream: @escaping @Sendable (_ input: Input, _ rest: @escaping Rest) -> Observable<Output>) {
        (self.name, self.stream) = (name, stream)
    }

    /// Creates a step that transforms its input for the rest, and the outputs of the rest for its caller; it has the name of `before`.
    public init(_ before: StepMap<Input, NextInput>, _ after: StepMap<NextOutput, Output>) {
        self.init(before.name) { input, rest in
            .logging { log in
                let outputs = rest(try before.map(input, log))
                return outputs.map { try after.map($0, log) }
            }
        }
    }
}

/// The function of a step that transforms one value, an input or an output, and can write to the operation's log.
public struct StepMap<Input: Sendable, Output: Sendable>: Sendable {
    /// The name of the function in descriptions and logs.
    public let name: String
    /// Returns the transformed value; throws the error with which the operation fails.
    public let map: @Sendable (Input, OperationLog.Notes) throws -> Output

    /// Creates a function that writes its own messages.
    public init(logging name: String, _ map: @escaping @Sendable (Input, OperationLog.Notes) throws -> Output) {
        (self.name, self.map) = (name, map)
    }

    /// Creates a function whose errors are noted, redacted.
    public init(_ name: String, _ map: @escaping @Sendable (Input) throws -> Output) {
        self.init(logging: name) { input, log in try log.notingFailure(as: name) { try map(input) } }
    }
}

extension Step where NextOutput == Output {
    /// Returns a step that transforms the input of the rest with a ``StepMap``, for each subscription.
    public static func before(_ map: StepMap<Input, NextInput>) -> Step {
        Step(map.name) { input, rest in .logging { log in rest(try map.map(input, log)) } }
    }
}

extension Step where NextInput == Input {
    /// Returns a step that transforms each output of the rest with a ``StepMap``.
    public static func after(_ map: StepMap<NextOutput, Output>) -> Step { .after(map.name) { $0.through(map) } }

    /// Returns a step that applies operators to the outputs of the rest; ``Step`` has an example.
    public static func after(_ name: String, _ apply: @escaping @Sendable (Observable<NextOutput>) -> Observable<Output>) -> Step {
        Step(name) { input, rest in apply(rest(input)) }
    }
}

extension ObservableType {
    /// Emits the result of a ``StepMap`` for each element; fails with the error that it throws.
    public func through<Output: Sendable>(_ map: StepMap<Element, Output>) -> Observable<Output> {
        let start = asObservable().start
        return Observable<Output> { downstream, lifetime in
            guard !lifetime.isDisposed else { return }
            let log = OperationLog.Notes(lifetime.scope)
            start(downstream.forwarding { element in downstream.onNext(try map.map(element, log)) }, lifetime)
        }
    }

    /// Passes each element through a step, one after another, and emits the outputs; ``Step`` has an example.
    ///
    /// - Parameters:
    ///   - step: the step that processes each element.
    ///   - rest: the rest of the chain, which the step calls.
    public func through<Output: Sendable, NextInput: Sendable, NextOutput: Sendable>(
        _ step: Step<Element, Output, NextInput, NextOutput>, to rest: @escaping @Sendable (NextInput) -> Observable<NextOutput>
    ) -> Observable<Output> {
        concatMap { step.stream($0, rest) }
    }
}
