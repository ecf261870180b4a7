public import Streams

/// Turns a DTO into raw data, such as `JSON`, on the way in and the raw data that comes back into a DTO.
///
/// Where raw data does not fit, the error names the path, and so does the request's log. Operators: ``Streams/ObservableType/mapToRaw()`` and
/// ``Streams/ObservableType/mapFromRaw(to:)``.
public struct DTOMapperNode<Input: RawEncodable, Output: RawDecodable>: Node {
    private let next: any Node<Input.Raw, Output.Raw>

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
    /// Each DTO as raw data; a throw ends the stream.
    public func mapToRaw() -> Observable<Element.Raw> {
        map { try $0.toRaw() }
    }
}

extension ObservableType {
    /// Each raw value as a DTO; a throw ends the stream.
    public func mapFromRaw<DTO: RawDecodable>(to type: DTO.Type = DTO.self) -> Observable<DTO> where Element == DTO.Raw {
        map { try DTO.from(raw: $0) }
    }
}
