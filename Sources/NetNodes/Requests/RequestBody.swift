public import Foundation

/// Raw data that can be sent in a request.
public protocol RequestBodyConvertible: Sendable {
    /// - Parameter encoding: the encoding; it is never `automatic`.
    /// - Throws: an error if the data cannot be encoded this way; nothing is sent then.
    func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody
}

extension HTTPRequest {
    /// Encoded raw data of a request.
    public struct EncodedBody: Sendable {
        /// The body.
        public var body: HTTPRequest.Body
        /// The `Content-Type`, unless the request sets one.
        public var contentType: String?
        /// The query to add to the URL.
        public var query: URLQuery?
        /// Whether only `contentType` describes the body, such as the boundary of a form, so that the request's own does not count.
        var hasOwnType = false

        /// Creates an encoded body.
        public init(body: HTTPRequest.Body = .none, contentType: String? = nil, query: URLQuery? = nil) {
            self.body = body
            self.contentType = contentType
            self.query = query
        }
    }

    /// The reason why raw data cannot be encoded as requested.
    public enum EncodingFailure: Error, Equatable, Sendable, LocalizedError, CustomStringConvertible {
        /// A query or a form needs names, which only the members of an object have.
        case notAnObject(Encoding)

        public var description: String { "Only an object can be sent as a query or a form." }
        public var errorDescription: String? { description }
    }
}

extension JSON: RequestBodyConvertible {
    /// Encodes the value; `null` sends no body.
    public func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody {
        guard !isNull else { return HTTPRequest.EncodedBody() }
        switch encoding {
        case .automatic, .json: return HTTPRequest.EncodedBody(body: .data(data()), contentType: "application/json")
        case .sortedJSON: return HTTPRequest.EncodedBody(body: .data(data(.sortedKeys)), contentType: "application/json")
        case .formURL:
            guard object != nil else { throw HTTPRequest.EncodingFailure.notAnObject(encoding) }
            let text = URLQuery(self).text
            return HTTPRequest.EncodedBody(body: .data(Data(text.utf8)), contentType: "application/x-www-form-urlencoded; charset=utf-8")
        case .urlQuery:
            guard object != nil else { throw HTTPRequest.EncodingFailure.notAnObject(encoding) }
            return HTTPRequest.EncodedBody(query: URLQuery(self))
        }
    }
}

extension Data: RequestBodyConvertible {
    /// Returns the bytes unchanged; the encoding of the request is ignored.
    public func encoded(_ encoding: HTTPRequest.Encoding) -> HTTPRequest.EncodedBody {
        HTTPRequest.EncodedBody(body: .data(self), contentType: "application/octet-stream")
    }
}

/// An encodable value that is encoded directly into the request.
struct CodableBody<Value: Encodable & Sendable>: RequestBodyConvertible {
    let value: Value

    func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody {
        do {
            let encoder = JSONEncoder()
            switch encoding {
            case .automatic, .json: break
            case .sortedJSON: encoder.outputFormatting = .sortedKeys
            case .formURL, .urlQuery: return try JSON(encoding: value).encoded(encoding)
            }
            return HTTPRequest.EncodedBody(body: .data(try encoder.encode(value)), contentType: "application/json")
        } catch let error as EncodingError {
            throw JSON.ModelFailure(error, encoding: Value.self)
        }
    }
}
