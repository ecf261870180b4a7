public import Streams

extension HTTPResponse {
    /// The metrics of one request.
    public struct Summary: Sendable, Equatable {
        /// The final URL, redacted.
        public let url: String
        /// The status of the response.
        public let status: Int
        /// The times and counts, if the transport provides them.
        public let transfer: Metrics
    }
}

extension URLChain {
    /// Transforms each request when its headers are complete, before it is sent, and before steps inserted later. If the closure throws,
    /// the stream fails and nothing is sent.
    public func adaptingRequests(_ adapt: @escaping @Sendable (HTTPRequest) throws -> HTTPRequest) -> Self {
        inserting(HTTPMiddleware(.before(StepMap("adaptingRequests", adapt)), .ignoresBody))
    }

    /// Transforms each response before its status and its body are processed, and before adapters added later. If the closure throws, the
    /// stream fails.
    public func adaptingResponses(_ adapt: @escaping @Sendable (HTTPResponse) throws -> HTTPResponse) -> Self {
        adapting(by: HTTPMiddleware(.after(StepMap("adaptingResponses", adapt))))
    }

    /// Reports the metrics of each request that received a response. Each attempt is reported separately, whatever its status.
    ///
    /// - Parameter report: called on the transport's thread, which it must not block.
    public func metrics(_ report: @escaping @Sendable (HTTPResponse.Summary) -> Void) -> Self {
        let step = Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>.after("metrics") { responses in
            responses.do(onNext: { response in
                guard let metrics = response.metrics else { return }
                report(HTTPResponse.Summary(url: response.head.redactedURL, status: response.status, transfer: metrics))
            })
        }
        return adapting(by: HTTPMiddleware(step, .ignoresBody))
    }

    /// Processes and decodes responses on `scheduler` and delivers there, rather than on the thread that all transfers of the transport
    /// share. Use it for bodies that take milliseconds to decode: a concurrent scheduler, such as `ConcurrentDispatchQueueScheduler(qos:
    /// .userInitiated)`, decodes several at a time.
    public func processing(on scheduler: any Scheduler) -> Self {
        changing { $0.processing = scheduler }
    }

    /// Replaces an ``HTTPError`` whose body can be decoded by the server's own error. Inner nodes still receive the ``HTTPError``, so that
    /// access is refreshed and transient errors are retried.
    public func customError<Failure: Error & Decodable>(as type: Failure.Type) -> Self {
        changing { $0.translations.append { error in (error as? HTTPError)?.custom(type) ?? error } }
    }

    /// Adapters process a response in the order in which they were added, so a later one is outside of an earlier one.
    private func adapting(by adapter: HTTPMiddleware) -> Self { changing { $0.responseSteps.insert(adapter, at: 0) } }
}
