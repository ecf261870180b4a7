import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a session: dispatches events to the transfer of the task. Sound: everything runs on `queue`.
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
        transfers[dataTask.taskIdentifier]?.didReceiveHead(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfers[dataTask.taskIdentifier]?.didReceiveBytes(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData sent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        transfers[task.taskIdentifier]?.didSend(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfers.removeValue(forKey: task.taskIdentifier)?.didComplete(error, task.response)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A password challenge would block a task on Linux forever, so the response with status 401 is delivered.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = challenge.protectionSpace.authenticationMethod
        guard method == NSURLAuthenticationMethodHTTPBasic || method == NSURLAuthenticationMethodHTTPDigest else {
            return completionHandler(.performDefaultHandling, nil)
        }
        transfers[task.taskIdentifier]?.didReceiveChallenge()
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}
