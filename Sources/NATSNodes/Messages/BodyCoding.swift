import Foundation

/// Converts values to payloads and back: `Data` and `String` as they are, everything else as JSON.
struct BodyCoding: Sendable {
    let configuration: NATSConfiguration

    /// Returns a closure that encodes values of a subject; one thread at a time may use it.
    func makeEncoder<Body: Encodable>(for type: Body.Type) -> (Body, _ subject: String) throws(NATSError) -> Data {
        let encoder = configuration.encoder()
        return { (body, subject) throws(NATSError) in
            if let data = body as? Data { return data }
            if let text = body as? String { return Data(text.utf8) }
            do { return try encoder.encode(body) } catch {
                throw .unencodable(subject: subject, reason: Self.reason(of: error))
            }
        }
    }

    func encode<Body: Encodable>(_ body: Body, for subject: String) throws(NATSError) -> Data {
        try makeEncoder(for: Body.self)(body, subject)
    }

    /// Returns a closure that decodes payloads of a subject; one thread at a time may use it.
    func makeDecoder<Body: Decodable>(for type: Body.Type) -> (Data, _ subject: String) throws(NATSError) -> Body {
        let decoder = configuration.decoder()
        return { (data, subject) throws(NATSError) in
            if let data = data as? Body { return data }
            if Body.self == String.self, let text = String(data: data, encoding: .utf8) as? Body { return text }
            do { return try decoder.decode(Body.self, from: data) } catch {
                throw .undecodable(subject: subject, reason: Self.reason(of: error))
            }
        }
    }

    func decode<Body: Decodable>(_ type: Body.Type, from data: Data, of subject: String) throws(NATSError) -> Body {
        try makeDecoder(for: type)(data, subject)
    }

    /// Returns the kind and the place of an error; never the value.
    private static func reason(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(let type, let context): "\(path(context.codingPath)) is no \(type)"
        case DecodingError.valueNotFound(_, let context): "\(path(context.codingPath)) is null"
        case DecodingError.dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is not JSON" : "\(path(context.codingPath)) does not fit"
        case EncodingError.invalidValue(_, let context): "\(path(context.codingPath)) cannot be encoded"
        default: "\(type(of: error))"
        }
    }

    private static func path(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "the value" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".").printableBeginning
    }
}
