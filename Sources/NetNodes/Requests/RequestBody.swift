public import Foundation

/// Raw data that a request can carry.
public protocol RequestBodyConvertible: Sendable {
    /// - Parameter encoding: never `automatic`.
    /// - Throws: where the data cannot be written like this; nothing is sent then.
    func encoded(_ encoding: RequestEncoding) throws -> EncodedBody
}

/// Raw data as it goes into a request.
public struct EncodedBody: Sendable {
    /// What goes into the body.
    public var body: HTTPRequest.Body
    /// What goes into `Content-Type` where the request says nothing else.
    public var contentType: String?
    /// What goes into the URL.
    public var query: URLQuery?

    public init(body: HTTPRequest.Body = .none, contentType: String? = nil, query: URLQuery? = nil) {
        self.body = body
        self.contentType = contentType
        self.query = query
    }
}

/// Why raw data cannot be sent as the request says.
public enum RequestEncodingError: Error, Equatable, Sendable, LocalizedError, CustomStringConvertible {
    /// Only the members of an object have names, which a query or a form needs.
    case notAnObject(RequestEncoding)

    public var description: String { "Only an object can be sent as a query or a form, and the request's data is none." }
    public var errorDescription: String? { description }
}

extension JSON: RequestBodyConvertible {
    /// `null` sends nothing at all.
    public func encoded(_ encoding: RequestEncoding) throws -> EncodedBody {
        guard !isNull else { return EncodedBody() }
        switch encoding {
        case .automatic, .json: return EncodedBody(body: .data(data()), contentType: "application/json")
        case .sortedJSON: return EncodedBody(body: .data(data(.sortedKeys)), contentType: "application/json")
        case .formURL:
            guard object != nil else { throw RequestEncodingError.notAnObject(encoding) }
            let text = URLQuery(self).text
            return EncodedBody(body: .data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded; charset=utf-8")
        case .urlQuery:
            guard object != nil else { throw RequestEncodingError.notAnObject(encoding) }
            return EncodedBody(query: URLQuery(self))
        }
    }
}

extension Data: RequestBodyConvertible {
    /// The bytes as they are, however the request says.
    public func encoded(_ encoding: RequestEncoding) -> EncodedBody {
        EncodedBody(body: .data(self), contentType: "application/octet-stream")
    }
}

/// An encodable value that goes into the request without a tree in between.
struct CodableBody<Value: Encodable & Sendable>: RequestBodyConvertible {
    let value: Value

    func encoded(_ encoding: RequestEncoding) throws -> EncodedBody {
        do {
            let encoder = JSONEncoder()
            switch encoding {
            case .automatic, .json: break
            case .sortedJSON: encoder.outputFormatting = .sortedKeys
            case .formURL, .urlQuery: return try JSON(encoding: value).encoded(encoding)
            }
            return EncodedBody(body: .data(try encoder.encode(value)), contentType: "application/json")
        } catch let error as EncodingError {
            throw ModelError(error, encoding: Value.self)
        }
    }
}
