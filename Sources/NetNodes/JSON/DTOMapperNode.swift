public import Streams

/// Turns a DTO into raw data, such as `JSON`, on the way in and the raw data that comes back into a DTO.
/// Maps a DTO to raw data, such as `JSON`, on input and raw data to a DTO on output.
/// Where raw data does not fit, the error names the path, and so does the request's log. Operators: ``Streams/ObservableType/mapToRaw()`` and
/// If raw data does not match, the error and the request's log contain the path. Operators: ``Streams/ObservableType/mapToRaw()`` and
public struct DTOMapperNode<Input: RawEncodable, Output: RawDecodable>: Node {
    private let next: any Node<Input.Raw, Output.Raw>

    /// Creates a node that passes the raw data of its input to `next`.
    public init(next: any Node<Input.Raw, Output.Raw>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        .logging { [next] log in
            let raw = try log.notingFailure(as: "DTOMapperNode") { try input.toRaw() }
            return next.stream(raw).map { raw in try log.notingFailure(as: "DTOMapperNode") { try Output.from(raw: raw) } }
        }
    }
}

extension ObservableType where Element: RawEncodable {
    /// Emits each DTO as raw data; fails if the mapping throws.
    public func mapToRaw() -> Observable<Element.Raw> {
        map { try $0.toRaw() }
    }
}

extension ObservableType {
    /// Emits each raw value as a DTO; fails if the mapping throws.
    public func mapFromRaw<DTO: RawDecodable>(to type: DTO.Type = DTO.self) -> Observable<DTO> where Element == DTO.Raw {
        map { try DTO.from(raw: $0) }
    }
}
