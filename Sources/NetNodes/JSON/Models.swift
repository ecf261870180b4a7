public import Foundation

/// An application model that can be converted into its DTO, the type in which it is transferred.
public protocol DTOEncodable: Sendable {
    /// The data that is sent for this model.
    associatedtype DTO: Sendable

    /// Returns the data to send for this model.
    func toDTO() throws -> DTO
}

/// An application model that can be created from its DTO.
public protocol DTODecodable: Sendable {
    /// The data in which this model is received.
    associatedtype DTO: Sendable

    /// Returns the model that the received data describes.
    static func from(dto: DTO) throws -> Self
}

/// An application model that can be converted in both directions.
public typealias DTOConvertible = DTOEncodable & DTODecodable

/// A DTO that can be converted into raw data, such as `JSON`. `Encodable` types have a default implementation.
public protocol RawEncodable: Sendable {
    /// The raw form, JSON by default.
    associatedtype Raw: Sendable = JSON

    /// Returns the raw form of this value.
    func toRaw() throws -> Raw
}

/// A DTO that can be created from raw data. `Decodable` types have a default implementation.
public protocol RawDecodable: Sendable {
    /// The raw form, JSON by default.
    associatedtype Raw: Sendable = JSON

    /// Returns the value that the raw form describes.
    static func from(raw: Raw) throws -> Self
}

/// A DTO that can be converted in both directions.
public typealias RawMappable = RawEncodable & RawDecodable

extension RawEncodable where Self: Encodable, Raw == JSON {
    public func toRaw() throws -> JSON {
        do { return try JSON(encoding: self) } catch let error as EncodingError { throw JSON.ModelFailure(error, encoding: Self.self) }
    }
}

extension RawDecodable where Self: Decodable, Raw == JSON {
    public static func from(raw: JSON) throws -> Self {
        try raw.decode()
    }
}

/// JSON is its own DTO, so that a chain without input can begin with a model.
extension JSON: DTOEncodable, DTODecodable {
    public func toDTO() -> JSON { self }
    public static func from(dto: JSON) -> JSON { dto }
}

extension JSON: RawEncodable, RawDecodable {
    public func toRaw() -> JSON { self }
    public static func from(raw: JSON) -> JSON { raw }
}

extension Data: RawEncodable, RawDecodable {
    public func toRaw() -> Data { self }
    public static func from(raw: Data) -> Data { raw }
}

/// Adds a path component to the model errors of `convert`.
func under<Result>(_ step: String, _ convert: () throws -> Result) throws -> Result {
    do { return try convert() } catch let error as JSON.ModelFailure { throw error.under(step) }
}

extension JSON {
    /// The reason why a model cannot be decoded or encoded.
    public enum ModelFailure: Error, Equatable, Sendable {
        /// The data does not match the model. The path locates the mismatch, such as `users[3].name`.
        case undecodable(type: String, path: String, reason: String)
        /// The model contains a value that JSON cannot represent.
        case unencodable(type: String, path: String, reason: String)
    }
}

extension JSON.ModelFailure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .undecodable(let type, let path, let reason): "The response does not match \(type) at \(path.orTopLevel): \(reason)."
        case .unencodable(let type, let path, let reason): "\(type) cannot be encoded at \(path.orTopLevel): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

extension JSON.ModelFailure {
    init(_ error: DecodingError, decoding type: Any.Type) {
        let (context, reason): (DecodingError.Context?, String) =
            switch error {
            case .keyNotFound(let key, let context): (context, "\"\(key.stringValue.escapedForDisplay)\" is missing")
            case .valueNotFound(let expected, let context): (context, "expected \(expected) but found null")
            case .typeMismatch(let expected, let context): (context, "expected \(expected)")
            case .dataCorrupted(let context): (context, context.debugDescription.escapedForDisplay.trimmingSuffix("."))
            @unknown default: (nil, "\(error)")
            }
        self = .undecodable(type: "\(type)", path: pathText(context?.codingPath ?? []), reason: reason)
    }

    init(_ error: EncodingError, encoding type: Any.Type) {
        guard case .invalidValue(_, let context) = error else {
            self = .unencodable(type: "\(type)", path: "", reason: "\(error)")
            return
        }
        let reason = context.debugDescription.escapedForDisplay.trimmingSuffix(".")
        self = .unencodable(type: "\(type)", path: pathText(context.codingPath), reason: reason)
    }

    /// Returns the same error with its path prefixed.
    func under(_ step: String) -> JSON.ModelFailure {
        switch self {
        case .undecodable(let type, let path, let reason): .undecodable(type: type, path: joined(step, path), reason: reason)
        case .unencodable(let type, let path, let reason): .unencodable(type: type, path: joined(step, path), reason: reason)
        }
    }
}

private func pathText(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { joined($0, $1.intValue.map { "[\($0)]" } ?? $1.stringValue.escapedForDisplay) }
}

private func joined(_ left: String, _ right: String) -> String {
    left.isEmpty || right.isEmpty || right.hasPrefix("[") ? left + right : "\(left).\(right)"
}

extension String {
    fileprivate var orTopLevel: String { isEmpty ? "top level" : self }

    package func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
