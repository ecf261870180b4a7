public import Streams

/// Maps the application's model to its DTO on input, and a DTO to the application's model on output.
///
/// If a model throws, the stream fails and nothing is sent. Operators: ``Streams/ObservableType/mapInput()`` and
/// ``Streams/ObservableType/mapOutput(to:)``.
public struct ModelInputNode<Input: DTOEncodable, Output: DTODecodable>: Node {
    private let next: any Node<Input.DTO, Output.DTO>

    /// Creates a node that passes the data of its model to `next`, and maps what that emits.
    public init(next: any Node<Input.DTO, Output.DTO>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        Observable.just(input).mapNoting(as: "ModelInputNode") { try $0.toDTO() }.flatMap { [next] in next.stream($0) }
            .mapNoting(as: "ModelInputNode") { try Output.from(dto: $0) }
    }
}

extension ObservableType where Element: DTOEncodable {
    /// Emits each model as its DTO; fails if the mapping throws.
    public func mapInput() -> Observable<Element.DTO> {
        map { try $0.toDTO() }
    }
}

extension ObservableType {
    /// Emits each DTO as a model; fails if the mapping throws.
    public func mapOutput<Model: DTODecodable>(to type: Model.Type = Model.self) -> Observable<Model> where Element == Model.DTO {
        map { try Model.from(dto: $0) }
    }
}
