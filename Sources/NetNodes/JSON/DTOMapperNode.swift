public import Streams

/// Maps a DTO to raw data, such as `JSON`, on input, and raw data to a DTO on output.
///
/// If raw data does not match, the error and the log of the request name the path. Operators: ``Streams/ObservableType/mapToRaw()`` and
/// ``Streams/ObservableType/mapFromRaw(to:)``.
public struct DTOMapperNode<Input: RawEncodable, Output: RawDecodable>: Node {
    private let next: any Node<Input.Raw, Output.Raw>

    /// Creates a node that passes the raw data of its input to `next`.
    public init(next: any Node<Input.Raw, Output.Raw>) {
        self.next = next
    }

    public func stream(_ input: Input) -> Observable<Output> {
        Observable.just(input).mapNoting(as: "DTOMapperNode") { try $0.toRaw() }.flatMap { [next] in next.stream($0) }
            .mapNoting(as: "DTOMapperNode") { try Output.from(raw: $0) }
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
