extension Array: DTOEncodable where Element: DTOEncodable {
    public func toDTO() throws -> [Element.DTO] {
        try enumerated().map { index, model in try under("[\(index)]") { try model.toDTO() } }
    }
}

extension Array: DTODecodable where Element: DTODecodable {
    public static func from(dto: [Element.DTO]) throws -> [Element] {
        try dto.enumerated().map { index, dto in try under("[\(index)]") { try Element.from(dto: dto) } }
    }
}

extension Optional: DTOEncodable where Wrapped: DTOEncodable {
    public func toDTO() throws -> Wrapped.DTO? {
        try map { try $0.toDTO() }
    }
}

extension Optional: DTODecodable where Wrapped: DTODecodable {
    public static func from(dto: Wrapped.DTO?) throws -> Wrapped? {
        try dto.map { try Wrapped.from(dto: $0) }
    }
}

extension Dictionary: DTOEncodable where Key == String, Value: DTOEncodable {
    public func toDTO() throws -> [String: Value.DTO] {
        try Dictionary<String, Value.DTO>(uniqueKeysWithValues: map { key, model in (key, try under(key) { try model.toDTO() }) })
    }
}

extension Dictionary: DTODecodable where Key == String, Value: DTODecodable {
    public static func from(dto: [String: Value.DTO]) throws -> [String: Value] {
        try Dictionary(uniqueKeysWithValues: dto.map { key, dto in (key, try under(key) { try Value.from(dto: dto) }) })
    }
}

extension Array: RawEncodable where Element: RawEncodable, Element.Raw == JSON {
    public func toRaw() throws -> JSON {
        .array(try enumerated().map { index, value in try under("[\(index)]") { try value.toRaw() } })
    }
}

extension Array: RawDecodable where Element: RawDecodable, Element.Raw == JSON {
    public static func from(raw: JSON) throws -> [Element] {
        guard let elements = raw.array else {
            throw JSON.ModelFailure.undecodable(type: "\(Self.self)", path: "", reason: "expected an array")
        }
        return try elements.enumerated().map { index, raw in try under("[\(index)]") { try Element.from(raw: raw) } }
    }
}

extension Optional: RawEncodable where Wrapped: RawEncodable, Wrapped.Raw == JSON {
    public func toRaw() throws -> JSON {
        try map { try $0.toRaw() } ?? .null
    }
}

extension Optional: RawDecodable where Wrapped: RawDecodable, Wrapped.Raw == JSON {
    public static func from(raw: JSON) throws -> Wrapped? {
        raw.isNull ? nil : try Wrapped.from(raw: raw)
    }
}

extension Dictionary: RawEncodable where Key == String, Value: RawEncodable, Value.Raw == JSON {
    public func toRaw() throws -> JSON {
        .object(JSON.Object(try sorted { $0.key < $1.key }.map { key, value in (key, try under(key) { try value.toRaw() }) }))
    }
}

extension Dictionary: RawDecodable where Key == String, Value: RawDecodable, Value.Raw == JSON {
    public static func from(raw: JSON) throws -> [String: Value] {
        guard let members = raw.object else {
            throw JSON.ModelFailure.undecodable(type: "\(Self.self)", path: "", reason: "expected an object")
        }
        return try Dictionary(uniqueKeysWithValues: members.map { key, raw in (key, try under(key) { try Value.from(raw: raw) }) })
    }
}
