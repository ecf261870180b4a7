public import Foundation
import Streams

/// The stage of a ``URLChain`` that does not know yet where it goes.
public enum Unrouted: Sendable {}

/// The stage of a ``URLChain`` that knows where it goes: it can be asked for its output.
public enum Routed: Sendable {}

/// Builds the usual chain of nodes in a few lines, which read in the order in which things happen.
///
/// ```swift
/// let users = URLChain(transport: .shared)
///     .route(.get, "https://example.com/users")
///     .query(["stack": "left"])
///     .output([User].self)                       // a Node<Void, [User]>
///
/// users.stream().subscribe(onNext: { print($0) }).disposed(by: bag)
/// ```
///
/// A chain is a value: `base.route(...)` does not change `base`. What the types cannot tell is an error of the stream, never a crash.
public struct URLChain<Stage, Input: Sendable>: Sendable {
    var settings: ChainSettings
    var makeBody: @Sendable (Input) throws -> AnyRequestBody
}

/// What is said about a chain, whatever its stage.
struct ChainSettings: Sendable {
    var transport: any Transport
    var method = HTTPMethod.get
    var route: any URLRouteProvider = ""
    var metadata: Metadata = [:]
    var queries: [URLQuery] = []
    var encoding = RequestEncoding.automatic
    var providers: [any HeaderProvider] = []
    var timeouts: HTTPRequest.Timeouts?
    var redirects: HTTPRequest.Redirects?
    var limits: HTTPRequest.Limits?
    var discardsBodies = false
    var access: (refresher: TokenRefresherNode, statuses: Set<Int>)?
    var steps: [any ChainStep] = []
    var edits: [String: StageEdits] = [:]
    var cache: ChainCache?
    var indicator: LoadIndicator?
    /// What becomes of an error when it leaves the chain.
    var translations: [@Sendable (any Error) -> any Error] = []
    var log: (filter: LogFilter, sink: @Sendable (OperationLog) -> Void)?
    var delivery: (any Scheduler)?
    var makeError: @Sendable (HTTPResponse) -> (any Error)? = { HTTPError($0) }
    /// Whether what is an error may be seen by the body of a good response.
    var hasOwnErrors = false
    var makeDecoder: @Sendable () -> JSONDecoder = { JSONDecoder() }
}

extension ChainSettings {
    /// These settings without what stands around the whole chain.
    var inner: ChainSettings {
        var inner = self
        (inner.delivery, inner.log, inner.indicator, inner.translations) = (nil, nil, nil, [])
        return inner
    }
}

/// Any raw data that a request can carry.
public struct AnyRequestBody: RequestBodyConvertible {
    /// The data.
    public let body: any RequestBodyConvertible

    public init(_ body: any RequestBodyConvertible) {
        self.body = body
    }

    public func encoded(_ encoding: RequestEncoding) throws -> EncodedBody {
        try body.encoded(encoding)
    }
}

extension URLChain where Stage == Unrouted, Input == Void {
    /// A chain without a route and without an input.
    public init(transport: any Transport) {
        self.init(settings: ChainSettings(transport: transport)) { _ in AnyRequestBody(JSON.null) }
    }

    /// A chain on the platform's usual transport.
    public init(transport: DefaultTransport = .shared) {
        self.init(transport: transport as any Transport)
    }
}

extension URLChain where Stage == Unrouted {
    /// Where the request goes: a URL, its text, or a type of your own with your endpoints.
    public func route(_ method: HTTPMethod, _ route: any URLRouteProvider) -> URLChain<Routed, Input> {
        var settings = settings
        settings.method = method
        settings.route = route
        return URLChain<Routed, Input>(settings: settings, makeBody: makeBody)
    }
}

extension URLChain {
    /// Adds a query, beside what the route and earlier calls have.
    public func query(_ values: JSON) -> Self { query(URLQuery(values)) }

    /// Adds a query with ways of writing of its own.
    public func query(_ query: URLQuery) -> Self { changing { $0.queries.append(query) } }

    /// Adds a query made of an encodable value.
    public func query(encoding value: some Encodable) throws -> Self { query(try JSON(encoding: value)) }

    /// Adds headers; of two with one name the later wins.
    public func headers(_ headers: HTTPHeaders) -> Self { changing { $0.providers.append(headers) } }

    /// Adds providers of headers, asked at each request; of two headers with one name the later wins.
    public func headers(_ providers: any HeaderProvider...) -> Self { changing { $0.providers += providers } }

    /// Adds metadata, which HTTP carries as headers.
    public func metadata(_ metadata: Metadata) -> Self { changing { $0.metadata.merge(metadata) { $1 } } }

    /// How the input is written.
    public func encoding(_ encoding: RequestEncoding) -> Self { changing { $0.encoding = encoding } }

    /// How long a request may take from its start to its last byte.
    public func timeout(_ total: Duration) -> Self {
        changing { $0.timeouts = HTTPRequest.Timeouts(connect: $0.timeouts?.connect ?? min(total, .seconds(15)), total: total) }
    }

    /// All limits of a request.
    public func timeouts(_ timeouts: HTTPRequest.Timeouts) -> Self { changing { $0.timeouts = timeouts } }

    /// The longest body of a response after decompression, in bytes: a longer one is ``TransportError/bodyTooLarge(limit:url:)``.
    ///
    /// Without it 64 MB are collected in memory at most, and events, lines and downloads have no limit.
    public func maximumBodySize(_ bytes: Int) -> Self { changing { $0.limits = $0.limits.with(\.maximumBodySize, bytes) } }

    /// The longest header of a response, in bytes, 256 KB without it: a longer one is `TransportError.malformedResponse`.
    public func maximumHeaderSize(_ bytes: Int) -> Self { changing { $0.limits = $0.limits.with(\.maximumHeaderSize, bytes) } }

    /// Has the bodies of good responses discarded as they come, for whom status, headers and metrics are enough; of a bad one 64 KB are kept.
    ///
    /// Where a step of the chain looks at the responses, or a cache keeps them, nothing is discarded.
    public func discardingBodies() -> Self { changing { $0.discardsBodies = true } }

    /// What happens at a redirect.
    public func redirects(_ redirects: HTTPRequest.Redirects) -> Self { changing { $0.redirects = redirects } }

    /// Repeats a request that is refused for want of access, with a fresh token; see ``AccessSafeNode``.
    public func refreshingAccess(with refresher: TokenRefresherNode, on statuses: Set<Int> = [401, 403]) -> Self {
        changing { $0.access = (refresher, statuses) }
    }

    /// Sends a request again when it failed; see ``RetryNode``.
    ///
    /// - Parameters:
    ///   - policy: after which errors, how often, and how long it waits.
    ///   - repeatsUnsafeMethods: whether methods that do something each time they are sent, such as POST, are sent again too.
    ///   - scheduler: where the waits are timed.
    public func retry(
        _ policy: RetryPolicy = .transient(), repeatsUnsafeMethods: Bool = false,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) -> Self {
        inserting(RetryStep(policy: policy, repeatsUnsafeMethods: repeatsUnsafeMethods, scheduler: scheduler))
    }

    /// Lets requests be ended from outside.
    public func abortable(by aborter: Aborter) -> Self { inserting(AborterStep(aborter: aborter)) }

    /// Puts a step of your own where the request stands ready, inside the steps that were put in before.
    public func inserting(_ step: some RequestStep) -> Self { changing { $0.steps.append(step) } }

    /// Counts running requests.
    public func trackActivity(_ indicator: LoadIndicator) -> Self { changing { $0.indicator = indicator } }

    /// Starts in the background and delivers on the main loop: for chains that belong to a view.
    public func deliverOnMain() -> Self { changing { $0.delivery = MainScheduler.instance } }

    /// Hands what the nodes note about each request to `sink`, one call a request; see ``LoggerNode``.
    public func log(_ filter: LogFilter = .from(.debug), to sink: @escaping @Sendable (OperationLog) -> Void) -> Self {
        changing { $0.log = (filter, sink) }
    }

    /// Which error a response stands for, `nil` for none, in place of ``HTTPError``.
    public func httpErrors(_ makeError: @escaping @Sendable (HTTPResponse) -> (any Error)?) -> Self {
        changing {
            $0.makeError = makeError
            $0.hasOwnErrors = true
        }
    }

    /// How responses are decoded. One decoder serves many responses, also at a time; `makeDecoder` is called for each output or subscription.
    public func decoder(_ makeDecoder: @escaping @Sendable () -> JSONDecoder) -> Self { changing { $0.makeDecoder = makeDecoder } }

    func changing(_ change: (inout ChainSettings) -> Void) -> Self {
        var chain = self
        change(&chain.settings)
        return chain
    }
}

extension HTTPRequest.Limits? {
    fileprivate func with<Value>(_ limit: WritableKeyPath<HTTPRequest.Limits, Value>, _ value: Value) -> HTTPRequest.Limits {
        var limits = self ?? HTTPRequest.Limits()
        limits[keyPath: limit] = value
        return limits
    }
}
