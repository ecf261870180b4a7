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
        .logging { [next] log in
            let dto = try log.notingFailure(as: "ModelInputNode") { try input.toDTO() }
            return next.stream(dto).map { dto in try log.notingFailure(as: "ModelInputNode") { try Output.from(dto: dto) } }
        }
    }
}

/// Maps a DTO to the application's model on output, if the input is not a model.
public struct ModelOutputNode<Input: Sendable, Output: DTODecodable>: Node {
    private let next: any Node<Input, Output.DTO>

    /// Creates a node that maps what `next` emits to the model.
    public init(next: any Node<Input, Output.DTO>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        .logging { [next] log in
            next.stream(input).map { dto in try log.notingFailure(as: "ModelOutputNode") { try Output.from(dto: dto) } }
        }
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
