import Foundation
import NetNodes

extension PreparedRequest {
    /// Returns the events of the request's transfer, through the complete node chain. The stream is cold: each subscription sends the
    /// request again.
    ///
    /// - Parameters:
    ///   - transport: the transport that sends the request.
    ///   - providers: sources of further headers, called for each attempt.
    func transfer(on transport: any Transport, headersFrom providers: any HeaderProvider...) -> Observable<TransferEvent> {
        var chain = URLChain(transport: transport).route(method, url).headers(headers).timeouts(timeouts).redirects(redirects)
        for provider in providers { chain = chain.headers(provider) }
        if let session { chain = chain.cookies(session.jar) }
        guard let body else { return chain.transfer.stream() }
        return chain.input(RequestData.self).transfer.stream(body)
    }
}

extension RequestOptions {
    /// Returns a transport with these certificates and this network.
    ///
    /// - Parameters:
    ///   - trace: emits the events of its connections.
    ///   - failures: receives libcurl's code of each transfer that has failed.
    func transport(
        tracing trace: PublishSubject<CurlTransport.Trace>?, failures: @escaping @Sendable (Int32) -> Void
    ) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = nil
        configuration.tls.verifiesServer = security.verifiesServer
        configuration.tls.certificateAuthorities = security.authorities.map { .file($0) }
        configuration.tls.minimumVersion = security.minimumVersion
        configuration.tls.clientCertificate = security.certificate.map {
            TLSOptions.ClientCertificate(certificate: .file($0), key: security.key.map { .file($0) })
        }
        configuration.network = network
        configuration.network.omittedHeaders = omittedHeaders
        configuration.failures = failures
        if let trace { configuration.trace = { trace.onNext($0) } }
        return CurlTransport(configuration)
    }

    /// Returns a transport that sends nothing: it answers with the curl command that sends the request.
    func commandTransport(revealingSecrets: Bool) -> StubTransport {
        StubTransport { request in
            .text((revealingSecrets ? request.curlRevealingSecrets : request.curl) + curlFlags(revealingSecrets) + "\n", to: request)
        }
    }

    private var omittedHeaders: [String] { headers.filter { $0.value == nil }.map(\.name) }

    private func curlFlags(_ revealsSecrets: Bool) -> String {
        let proxy: String? =
            switch network.proxy {
            case .environment: nil
            case .none: ""
            case .server(let url, _, _): revealsSecrets ? url : "\(network.proxy)"
            }
        let switches = [
            ("--insecure", !security.verifiesServer), ("--ipv4", network.addressFamily == .v4), ("--ipv6", network.addressFamily == .v6),
            ("--http1.1", network.httpVersion == .http1), ("--tlsv1.2", security.minimumVersion == .tls12),
            ("--tlsv1.3", security.minimumVersion == .tls13),
        ]
        let values =
            [("--cacert", security.authorities), ("--cert", security.certificate), ("--key", security.key), ("--proxy", proxy)]
            + network.addresses.map { ("--resolve", $0.text) } + omittedHeaders.map { ("--header", "\($0):") }
        return switches.map { $1 ? " \($0)" : "" }.joined()
            + values.map { flag, value in
                value.map { " \(flag) \($0.quotedForShell)" } ?? ""
            }.joined()
    }
}

extension PreparedRequest {
    /// Writes the session of the request, whatever became of it. Returns the error, which the outcome of the request precedes.
    func saveSession() -> (any Error)? {
        do { try session?.save() } catch { return error }
        return nil
    }
}

/// The attempts of one request: `--retry`.
struct TransferAttempts: Sendable {
    /// The number of attempts after the first.
    let retries: Int
    let method: HTTPRequest.Method
    /// Whether the response can be received again from its start: nothing of it was printed.
    let canStartAnew: @Sendable () -> Bool
    /// Receives a line about each further attempt.
    let report: @Sendable (String) -> Void
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Repeats the transfer after a transient failure: of the connection, or a status such as 503. The response to the last attempt is
    /// delivered whatever its status.
    func repeating(_ transfer: Observable<TransferEvent>) -> Observable<TransferEvent> {
        guard retries > 0 else { return transfer }
        let failures = Lock(0)
        let attempt = transfer.map { event in
            if case .head(let head) = event, failures.withLock({ $0 < retries }), let error = HTTPError(HTTPResponse(head: head)),
                isRetried(error)
            {
                throw error
            }
            return event
        }
        let noted = attempt.do(onError: { error in
            let count = failures.withLock { count in
                count += 1
                return count
            }
            guard count <= retries, isRetried(error) else { return }
            report("\(ErrorWording.sentence(error)); attempt \(count + 1) of \(retries + 1)")
        })
        var policy = RetryPolicy.transient(maxAttempts: retries + 1, initial: .seconds(1), cap: .seconds(60), jitter: 0.2, limit: nil)
        policy.shouldRetry = { isRetried($0) }
        return noted.retry(policy, scheduler: scheduler)
    }

    /// A method that changes something is repeated only if nothing can have reached the server.
    private func isRetried(_ error: any Error) -> Bool {
        guard canStartAnew(), RetryPolicy.isTransient(error) else { return false }
        switch error {
        case TechnicalError.cantConnectToHost, TechnicalError.cantFindHost, TechnicalError.noInternetConnection: return true
        default: return [.get, .head, .put, .delete, HTTPRequest.Method(rawValue: "OPTIONS")].contains(method)
        }
    }
}

/// The longest time without an event of a transfer. Time in which the transfer is suspended, because the output is not taken, does not
/// count.
struct SilenceLimit: Sendable {
    let duration: Duration
    /// Whether event streams, which are silent while nothing happens, have no limit once they have begun.
    let exemptsEventStreams: Bool
    let url: URL
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Fails with a timeout after too long a silence.
    func limiting(_ transfer: Observable<TransferEvent>) -> Observable<TransferEvent> {
        .deferred {
            // Completes when there is no limit any more.
            let activity = PublishSubject<Void>()
            let events = transfer.do(
                onNext: { event in
                    if exemptsEventStreams, case .head(let head) = event, head.isEventStream { return activity.onCompleted() }
                    activity.onNext(())
                },
                onCompleted: { activity.onCompleted() })
            let error = TechnicalError.timeout("\(TransportError.timedOut(.idle, after: duration, url: redacted(url)))")
            let silence = activity.timeout(duration, other: Observable.error(error), scheduler: scheduler)
                .compactMap { _ in TransferEvent?.none }
            // The order matters, because a transfer can end while it is subscribed to.
            return .merge(silence, events)
        }
    }
}

extension HTTPResponse.Head {
    var isEventStream: Bool { mediaType == "text/event-stream" || JSONLines.types.contains(mediaType) }
}

/// Bodies with one JSON value on each line.
enum JSONLines {
    static let types: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines",
        "application/json-seq", "application/stream+json", "application/x-json-stream",
    ]
}

/// Memory that the allocator keeps for the next chunk of a body instead of returning it to the system.
enum FreedMemory {
    /// Lets glibc keep freed chunks. Otherwise it would return them to the kernel, which would clear the pages of each new one: a fifth of
    /// the work of a long body.
    ///
    /// Freeing a large block raises both thresholds, for mapping and for trimming. The block itself is never touched. At most four
    /// megabytes of chunks wait at a time.
    ///
    /// Source: [mallopt(3)](https://man7.org/linux/man-pages/man3/mallopt.3.html), `M_MMAP_THRESHOLD`.
    static func keep() {
        UnsafeMutableRawPointer.allocate(byteCount: 16 * 1024 * 1024, alignment: 16).deallocate()
    }
}
