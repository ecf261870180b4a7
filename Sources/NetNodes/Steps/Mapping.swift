import Foundation
public import Streams

extension StepMap where Input: DTOEncodable, Output == Input.DTO {
    /// Maps a model to its DTO.
    package static var toDTO: StepMap { StepMap("mapInput") { try $0.toDTO() } }
}

extension StepMap where Output: DTODecodable, Input == Output.DTO {
    /// Maps a DTO to a model.
    package static var fromDTO: StepMap { StepMap("mapOutput") { try Output.from(dto: $0) } }
}

extension StepMap where Input: RawEncodable, Output == Input.Raw {
    /// Maps a DTO to raw data.
    package static var toRaw: StepMap { StepMap("mapToRaw") { try $0.toRaw() } }
}

extension StepMap where Output: RawDecodable, Input == Output.Raw {
    /// Maps raw data to a DTO.
    package static var fromRaw: StepMap { StepMap("mapFromRaw") { try Output.from(raw: $0) } }
}

extension StepMap<Void, JSON> {
    /// Maps no input to no raw data.
    package static var noInput: StepMap { StepMap("voidInput") { _ in .null } }
}

extension StepMap where Output == Void {
    /// Ignores an output, and notes it if it is a body that is not empty.
    package static var noOutput: StepMap {
        StepMap(logging: "voidOutput") { body, log in
            if let text = unexpectedBody(body) { log.note(.warning, "voidOutput", text) }
        }
    }
}

/// The log message for an unexpected body.
private func unexpectedBody(_ body: some Sendable) -> String? {
    switch body {
    case let data as Data where !data.isEmpty: "\(data.count) bytes of an unexpected body"
    case let tree as JSON where !tree.isNull && tree != .empty: "unexpected JSON body"
    case let response as HTTPResponse where response.bodySize > 0: "\(response.bodySize) bytes of an unexpected body"
    default: nil
    }
}

extension ObservableType where Element: DTOEncodable {
    /// Emits each model as its DTO; fails if the mapping throws.
    public func mapInput() -> Observable<Element.DTO> {
        through(.toDTO)
    }
}

extension ObservableType where Element: RawEncodable {
    /// Emits each DTO as raw data; fails if the mapping throws.
    public func mapToRaw() -> Observable<Element.Raw> {
        through(.toRaw)
    }
}

extension ObservableType<Void> {
    /// Emits JSON's `null` for each element: a request without a body.
    public func voidInput() -> Observable<JSON> {
        through(.noInput)
    }
}

extension ObservableType {
    /// Emits each DTO as a model; fails if the mapping throws.
    public func mapOutput<Model: DTODecodable>(to type: Model.Type = Model.self) -> Observable<Model> where Element == Model.DTO {
        through(.fromDTO)
    }

    /// Emits each raw value as a DTO; fails if the mapping throws.
    public func mapFromRaw<DTO: RawDecodable>(to type: DTO.Type = DTO.self) -> Observable<DTO> where Element == DTO.Raw {
        through(.fromRaw)
    }

    /// Ignores each element, and notes it in the operation's log if it is a body that is not empty.
    public func voidOutput() -> Observable<Void> {
        through(.noOutput)
    }
}
