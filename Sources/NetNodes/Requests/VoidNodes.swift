import Foundation
public import Streams

/// A chain without input: the request has no body.
public struct VoidInputNode<Output: Sendable>: Node {
    private let next: any Node<JSON, Output>

    /// Creates a node that passes no data to `next`.
    public init(next: any Node<JSON, Output>) {
        self.next = next
    }

    public func stream(_ input: Void) -> Observable<Output> {
        next.stream(.null)
    }
}

/// A chain without output: the response's body is ignored, and logged if there is one.
public struct VoidOutputNode<Input: Sendable, Ignored: Sendable>: Node {
    private let next: any Node<Input, Ignored>

    /// Creates a node that ignores what `next` emits.
    public init(next: any Node<Input, Ignored>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Void> {
        next.stream(input).ignoringBodies()
    }
}

/// The log message for an unexpected body.
@Sendable
private func unexpectedBody(_ body: some Sendable) -> String? {
    switch body {
    case let data as Data where !data.isEmpty: "\(data.count) bytes of an unexpected body"
    case let tree as JSON where !tree.isNull && tree != .empty: "unexpected JSON body"
    case let response as HTTPResponse where response.bodySize > 0: "\(response.bodySize) bytes of an unexpected body"
    default: nil
    }
}

extension ObservableType {
    /// Ignores each element, and notes it in the operation's log if it is a body that is not empty.
    func ignoringBodies() -> Observable<Void> {
        noting(.warning, as: "VoidOutputNode") { $0.element.flatMap(unexpectedBody) }.map { _ in () }
    }
}
