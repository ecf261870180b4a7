import Foundation

/// Separates an unsuccessful response from one that is processed while it is received. It keeps the beginning of the body for the error.
package struct UnsuccessfulResponse {
    /// The maximum number of bytes kept of an unsuccessful body.
    static let limit = 64 * 1024

    private var response: HTTPResponse?

    package init() {}

    /// Processes an event of a transfer.
    ///
    /// - Returns: whether the event belongs to an unsuccessful response, and must be ignored.
    /// - Throws: the error of the unsuccessful response, at its end.
    package mutating func consume(_ event: TransferEvent) throws -> Bool {
        switch event {
        case .sent, .progress: return false
        case .head(let head): response = head.status >= 400 ? HTTPResponse(head: head) : nil
        case .chunk(let data):
            guard let kept = response?.body.count else { return false }
            response?.body.append(data.prefix(Self.limit - kept))
        case .end:
            if let error = response.flatMap({ HTTPError($0) }) { throw error }
        }
        return response != nil
    }
}
