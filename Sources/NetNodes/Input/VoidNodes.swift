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

/// A chain of whose answer only the arrival counts: whatever body comes is ignored.
public struct VoidOutputNode<Input: Sendable, Ignored: Sendable>: Node {
    private let next: any Node<Input, Ignored>

    public init(next: any Node<Input, Ignored>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Void> {
        next.stream(input).map { _ in () }
    }
}
