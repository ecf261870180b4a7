public import Streams

/// Converts the input into raw data that can be sent in a request. An encodable input is encoded directly.
///
/// If the input cannot be encoded, the stream fails and nothing is sent.
public struct RequestBodyNode<Input: Sendable, Output: Sendable>: Node {
    private let makeBody: @Sendable (Input) throws -> AnyRequestBody
    private let next: any Node<AnyRequestBody, Output>

    /// - Parameters:
    ///   - makeBody: called for each subscription.
    ///   - next: the rest of the chain.
    public init(_ makeBody: @escaping @Sendable (Input) throws -> AnyRequestBody, next: any Node<AnyRequestBody, Output>) {
        self.makeBody = makeBody
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        next.stream(making: { [makeBody] in try makeBody(input) })
    }
}
