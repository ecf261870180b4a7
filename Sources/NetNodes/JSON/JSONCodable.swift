public import Foundation

extension JSON: Codable {
    public init(from decoder: any Decoder) throws {
        if let keyed = try? decoder.container(keyedBy: MemberName.self) {
            self = .object(Object(try keyed.allKeys.map { ($0.stringValue, try keyed.decode(JSON.self, forKey: $0)) }))
            return
        }
        if var unkeyed = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !unkeyed.isAtEnd { elements.append(try unkeyed.decode(JSON.self)) }
            self = .array(elements)
            return
        }
        self = try JSON(scalar: decoder.singleValueContainer())
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = JSON(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = JSON(value)
        } else if let value = try? container.decode(Double.self) {
            self = JSON(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .number(let number): try encode(number, to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .object(let members):
            var container = encoder.container(keyedBy: MemberName.self)
            for (key, value) in members { try container.encode(value, forKey: MemberName(key)) }
        }
    }

    private func encode(_ number: Number, to encoder: any Encoder) throws {
        if let value = Int64(number.literal) { return try value.encode(to: encoder) }
        if let value = UInt64(number.literal) { return try value.encode(to: encoder) }
        try number.double.encode(to: encoder)
    }

    private struct MemberName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ value: String) {
            stringValue = value
        }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            stringValue = String(intValue)
        }
    }
}

extension JSON {
    /// Creates the JSON value of an encodable value.
    public init(encoding value: some Encodable, using encoder: JSONEncoder = JSONEncoder()) throws {
        self = try JSON(parsing: encoder.encode(value))
    }

    /// Decodes this value into a model.
    ///
    /// - Parameters:
    ///   - type: the type of the model.
    ///   - decoder: the decoder; by default that of the chain which reads the value, otherwise a `JSONDecoder()`.
    /// - Throws: ``JSON/ModelFailure/undecodable(type:path:reason:)``.
    public func decode<Model: Decodable>(_ type: Model.Type = Model.self, using decoder: JSONDecoder? = nil) throws -> Model {
        try data().decodeJSON(type, using: decoder ?? ChainDecoder.current ?? JSONDecoder())
    }
}

extension JSON.Object {
    /// Creates an object of encodable values.
    init(encoding members: KeyValuePairs<String, any Encodable & Sendable>) throws {
        func encode(_ value: some Encodable) throws -> JSON { try JSON(encoding: value) }
        self.init(try members.map { name, value in (name, try encode(value)) })
    }
}

extension Data {
    /// Decodes these bytes directly into a model.
    ///
    /// - Throws: ``JSON/ModelFailure/undecodable(type:path:reason:)``, or ``JSON/SyntaxError`` if the bytes are not JSON.
    func decodeJSON<Model: Decodable>(_ type: Model.Type, using decoder: JSONDecoder) throws -> Model {
        // A tree keeps its names, whichever names the decoder converts.
        if type == JSON.self, let tree = try JSON(parsing: self) as? Model { return tree }
        do {
            return try decoder.decode(type, from: self)
        } catch let error as DecodingError {
            if case .dataCorrupted(let context) = error, context.codingPath.isEmpty { _ = try JSON(parsing: self) }
            throw JSON.ModelFailure(error, decoding: type)
        }
    }
}
