import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a session: hands what happens to the transfer whose task it is. Everything runs on `queue`, which makes the unchecked
/// conformance sound.
final class URLSessionRelay: NSObject, @unchecked Sendable {
    let queue = DispatchQueue(label: "NetNodes.URLSession", qos: .userInitiated)
    private var transfers: [Int: URLSessionTransfer] = [:]

    func add(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        transfers[task.taskIdentifier] = transfer
    }

    func remove(_ task: URLSessionTask) {
        transfers[task.taskIdentifier] = nil
    }
}

extension URLSessionRelay: URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        transfers[dataTask.taskIdentifier]?.hasHead(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfers[dataTask.taskIdentifier]?.hasBytes(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData sent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        transfers[task.taskIdentifier]?.hasSent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfers.removeValue(forKey: task.taskIdentifier)?.hasCompleted(error, task.response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A challenge for a password would hang a task on Linux for ever: the response with the status 401 is what a chain wants.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = challenge.protectionSpace.authenticationMethod
        guard method == NSURLAuthenticationMethodHTTPBasic || method == NSURLAuthenticationMethodHTTPDigest else {
            return completionHandler(.performDefaultHandling, nil)
        }
        transfers[task.taskIdentifier]?.isChallenged()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
