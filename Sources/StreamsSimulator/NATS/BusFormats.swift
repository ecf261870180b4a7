import Foundation

/// JSON with the names that the server uses.
enum BusJSON {
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(BusError) -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do { return try decoder.decode(type, from: Data(bytes)) } catch { throw .malformed }
    }

    static func object(_ value: some Encodable) -> Any {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? JSONSerialization.jsonObject(with: encoder.encode(value))) ?? [:]
    }
}

/// Times in the format of the server, with nanoseconds since 1970.
enum BusTime {
    static func text(_ nanoseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000) / 1_000)
        return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    static func nanoseconds(_ text: String) -> Int64? {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(
            separator: .omitted)
        return ((try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601)))
            .map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) * 1_000_000 }
    }
}
