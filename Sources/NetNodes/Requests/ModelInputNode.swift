public import Streams

/// Turns the application's model into its DTO on the way in and the DTO that comes back into the application's model.
///
/// A model that throws ends the stream and nothing is sent. Operators: ``Streams/ObservableType/mapInput()`` and
/// ``Streams/ObservableType/mapOutput(to:)``.
public struct ModelInputNode<Input: DTOEncodable, Output: DTODecodable>: Node {
    private let next: any Node<Input.DTO, Output.DTO>

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

/// Turns the DTO that comes back into the application's model, where the input is no model.
public struct ModelOutputNode<Input: Sendable, Output: DTODecodable>: Node {
    private let next: any Node<Input, Output.DTO>

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
    /// Each model as its DTO; a throw ends the stream.
    public func mapInput() -> Observable<Element.DTO> {
        map { try $0.toDTO() }
    }
}

extension ObservableType {
    /// Each DTO as a model; a throw ends the stream.
    public func mapOutput<Model: DTODecodable>(to type: Model.Type = Model.self) -> Observable<Model> where Element == Model.DTO {
        map { try Model.from(dto: $0) }
    }
}
