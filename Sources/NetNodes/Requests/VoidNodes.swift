import Foundation
public import Streams

/// A chain that needs no input: nothing goes into the request's body.
public struct VoidInputNode<Output: Sendable>: Node {
    private let next: any Node<JSON, Output>

    public init(next: any Node<JSON, Output>) {
        self.next = next
    }

    public func stream(_ input: Void) -> Observable<Output> {
        next.stream(.null)
    }
}

/// A chain of whose answer only the arrival counts: whatever body comes is ignored, and the request's log says that one came.
public struct VoidOutputNode<Input: Sendable, Ignored: Sendable>: Node {
    private let next: any Node<Input, Ignored>

    public init(next: any Node<Input, Ignored>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Void> {
        next.stream(input)
            .noting(.warning, as: "VoidOutputNode") { $0.element.flatMap(unexpectedBody) }
            .map { _ in () }
    }
}

/// What to say of a body that should not be there.
@Sendable
private func unexpectedBody(_ body: some Sendable) -> String? {
    switch body {
    case let data as Data where !data.isEmpty: "\(data.count) bytes came where no body was expected"
    case let tree as JSON where !tree.isNull && tree != .empty: "JSON came where no body was expected"
    case let response as HTTPResponse where response.bodySize > 0: "\(response.bodySize) bytes came where no body was expected"
    default: nil
    }
}
