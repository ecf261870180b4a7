import Foundation

/// Keeps apart a bad response from one that is used while it comes, and keeps the beginning of its body for the error.
struct BadResponse {
    /// How much of the body of a bad response is kept.
    private static let limit = 64 * 1024

    private var response: HTTPResponse?

    /// Takes an event of a transfer.
    ///
    /// - Returns: whether it belongs to a bad response, and so is of no use.
    /// - Throws: the error that the bad response stands for, at its end.
    mutating func takes(_ event: TransferEvent) throws -> Bool {
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
