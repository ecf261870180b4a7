public import Foundation
public import Streams

/// Responds to requests from a ``Recording``, without a network.
///
/// A request is identified by its method, its redacted URL and a `Host` that names another server. If there are several responses to one request, those to the same body come
/// first, in the order of recording; the last one is repeated, unless `repeatsLast` is `false`. A request that was not recorded fails with
/// ``Recording/Failure/notRecorded(method:url:)``. Events are emitted synchronously on the subscribing thread.
public final class ReplayTransport: Transport {
    private let exchanges: [Recording.Exchange]
    private let repeatsLast: Bool
    /// The indices of the played exchanges.
    private let played = Lock(Set<Int>())

    /// - Parameters:
    ///   - recording: the recording that is replayed.
    ///   - repeatsLast: whether the last response to a request is repeated for further ones.
    public init(_ recording: Recording, repeatsLast: Bool = true) {
        exchanges = recording.exchanges
        self.repeatsLast = repeatsLast
    }

    /// Creates a transport from a file.
    ///
    /// - Throws: ``Recording/Failure``.
    public convenience init(contentsOf file: URL, repeatsLast: Bool = true) throws {
        self.init(try Recording(contentsOf: file), repeatsLast: repeatsLast)
    }

    /// The recorded exchanges that have not been played yet.
    public var unplayed: [Recording.Exchange] {
        let played = played.withLock { $0 }
        return exchanges.enumerated().filter { !played.contains($0.offset) }.map(\.element)
    }

    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        .deferred { [self] in
            try request.validate()
            guard let exchange = next(for: request) else {
                throw Recording.Failure.notRecorded(method: request.method.rawValue, url: request.redactedURL)
            }
            return exchange.events(request.url)
        }
    }

    private func next(for request: HTTPRequest) -> Recording.Exchange? {
        let sent = Recording.Exchange(request)
        let redactor = Redactor([sent])
        let shown = redactor.redacted(sent)
        let fitting = exchanges.indices.filter { exchanges[$0].fits(shown, redactor) }
        return played.withLock { played in
            let left = fitting.filter { !played.contains($0) }
            let sameBody = left.first { [sent.requestBody, shown.requestBody].contains(exchanges[$0].requestBody) }
            let place = sameBody ?? left.first ?? (repeatsLast ? fitting.last : nil)
            if let place { played.insert(place) }
            return place.map { exchanges[$0] }
        }
    }
}

extension Recording.Exchange {
    /// Creates an exchange without a response.
    init(_ request: HTTPRequest) {
        let body: Recording.Body? = if case .data(let data) = request.body { Recording.Body(data) } else { nil }
        self.init(
            method: request.method.rawValue, url: request.url.absoluteString, requestHeaders: request.headers, requestBody: body, head: nil)
    }

    /// Whether the exchange was recorded for this request, whose secrets are known.
    fileprivate func fits(_ shown: Recording.Exchange, _ redactor: Redactor) -> Bool {
        method == shown.method && redactor.redacted(url: url) == shown.url && virtualHost == shown.virtualHost
    }

    private var virtualHost: String? { URL(string: url).flatMap { requestHeaders.virtualHost(at: $0) } }

    fileprivate func events(_ url: URL) -> Observable<TransferEvent> {
        var events = [TransferEvent.sent]
        if let head { events.append(.head(head)) }
        let data = body.data
        if !data.isEmpty { events.append(.chunk(data)) }
        switch ending {
        case .complete: return .from(events + [.end(HTTPResponse.Metrics(bytesReceived: Int64(data.count)))])
        case .open: return Observable.from(events).concat(Observable.never())
        case .failed(let kind, let reason):
            return Observable.from(events).concat(Observable.error(TransportError(recorded: kind, reason: reason, url: url)))
        }
    }
}
