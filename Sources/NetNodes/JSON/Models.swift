public import Foundation

/// An application model that can be converted into its DTO: the type in which it is transferred.
public protocol DTOEncodable: Sendable {
    /// The data that is sent for this model.
    associatedtype DTO: Sendable

    /// Returns the data to send for this model.
    func toDTO() throws -> DTO
}

/// An application model that can be created from its DTO.
public protocol DTODecodable: Sendable {
    /// The data that this model is received as.
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
        do { return try JSON(encoding: self) } catch let error as EncodingError { throw ModelError(error, encoding: Self.self) }
    }
}

extension RawDecodable where Self: Decodable, Raw == JSON {
    public static func from(raw: JSON) throws -> Self {
        try raw.decode()
    }
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
    do { return try convert() } catch let error as ModelError { throw error.under(step) }
}
