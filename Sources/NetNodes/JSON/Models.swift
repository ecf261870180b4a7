public import Foundation

/// An application model that can be turned into its DTO: the shape in which it is transferred.
public protocol DTOEncodable: Sendable {
    associatedtype DTO: Sendable

    func toDTO() throws -> DTO
}

/// An application model that can be made of its DTO.
public protocol DTODecodable: Sendable {
    associatedtype DTO: Sendable

    static func from(dto: DTO) throws -> Self
}

/// An application model that goes both ways.
public typealias DTOConvertible = DTOEncodable & DTODecodable

/// A DTO that can be turned into raw data, such as `JSON`. `Encodable` ones get this for nothing.
public protocol RawEncodable: Sendable {
    associatedtype Raw: Sendable = JSON

    func toRaw() throws -> Raw
}

/// A DTO that can be made of raw data. `Decodable` ones get this for nothing.
public protocol RawDecodable: Sendable {
    associatedtype Raw: Sendable = JSON

    static func from(raw: Raw) throws -> Self
}

/// A DTO that goes both ways.
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

/// Says where in a collection a model does not fit.
func under<Result>(_ step: String, _ convert: () throws -> Result) throws -> Result {
    do { return try convert() } catch let error as ModelError { throw error.under(step) }
}
