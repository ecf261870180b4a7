public import Foundation
public import Streams

/// Fails with the transport's error, if there is one; otherwise passes the response on.
public struct ResponseProcessorNode<Output: Sendable>: Node {
    private let next: any Node<HTTPResponse, Output>

    /// Creates a node that passes a response to `next`, and fails where the transfer did.
    public init(next: any Node<HTTPResponse, Output>) {
        self.next = next
    }

    public func stream(_ input: Result<HTTPResponse, any Error>) -> Observable<Output> {
        switch input {
        case .success(let response): next.stream(response)
        case .failure(let error): .error(error)
        }
    }
}

/// Emits the bytes of a response as they are.
public struct DataLoadingResponseProcessorNode: Node {
    /// Creates a node that emits bodies as they are.
    public init() {}

    public func stream(_ input: HTTPResponse) -> Observable<Data> {
        .just(input.body)
    }
}

extension ObservableType<HTTPResponse> {
    /// Emits the bytes of each response.
    public func bodies() -> Observable<Data> {
        map(\.body)
    }
}
