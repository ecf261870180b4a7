import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// Middlewares and stored responses.
@Suite("Middlewares of a chain with a cache", .onOneThread, .countsResources, .blocksThread)
struct CachedMiddlewareTests {
    /// A service that answers with the user that a request belongs to, until it is offline.
    private final class Service: Sendable {
        let isOffline = Lock(false)

        var transport: StubTransport {
            StubTransport { request in
                guard !self.isOffline.withLock({ $0 }) else { throw TransportError.networkUnreachable(url: "http://localhost/") }
                return .text(request.headers["Authorization"] ?? "nobody", to: request)
            }
        }
    }

    private func bearer(_ user: String) -> HTTPMiddleware {
        HTTPMiddleware("Bearer") { request, next in
            var request = request
            request.headers["Authorization"] = user
            return next(request)
        }
    }

    private let louder = HTTPMiddleware("Louder") { request, next in
        next(request).map { response in
            var response = response
            response.body += Data("!".utf8)
            return response
        }
    }

    @Test(arguments: [HTTPMiddleware.Position.refreshing, .request, .mapTechnicalErrors, .response, .cache])
    func `Credentials added outside of the cache are part of a stored response's key`(position: HTTPMiddleware.Position) {
        let service = Service()
        let base = URLChain(transport: service.transport).cached(in: MemoryResponseCache(), .ifConnectionFails)
        func body(of user: String) -> [Data] {
            base.inserting(bearer(user), outside: position).route(.get, "http://localhost/").data.stream().ended().elements
        }
        #expect(body(of: "Ann") == [Data("Ann".utf8)])
        service.isOffline.withLock { $0 = true }
        #expect(body(of: "Ann") == [Data("Ann".utf8)])
        #expect(body(of: "Bob") == [])
    }

    @Test(arguments: [CachedResponse.Policy.first, .ifConnectionFails, .revalidate])
    func `What is inside of the cache is around the network only`(policy: CachedResponse.Policy) {
        let service = Service()
        let chain = URLChain(transport: service.transport).cached(in: MemoryResponseCache(), policy)
            .inserting(louder, inside: .cache).route(.get, "http://localhost/").data
        let loud = Data("nobody!".utf8)
        #expect(chain.stream().ended().elements == [loud])
        if case .first = policy { #expect(chain.stream().ended().elements == [loud, loud]) }
        service.isOffline.withLock { $0 = true }
        if case .ifConnectionFails = policy { #expect(chain.stream().ended().elements == [loud]) }
    }

    @Test(arguments: [true, false])
    func `A stored response passes the middlewares that are not for the network only`(isForNetwork: Bool) {
        let calls = Counter()
        let counting = HTTPMiddleware("Counting", isForNetwork ? .networkOnly : []) { request, next in
            calls.increment()
            return next(request)
        }
        let chain = URLChain(transport: Service().transport).cached(in: MemoryResponseCache(), .first)
            .inserting(counting).route(.get, "http://localhost/").data
        #expect(chain.stream().ended().elements.count == 1)
        #expect(chain.stream().ended().elements.count == 2)
        #expect(calls.value == (isForNetwork ? 2 : 4))
    }

    @Test func `An aborter aborts a read of the cache too`() {
        struct Silent: ResponseCache {
            let isReading = BehaviorRelay(value: false)
            func response(for key: CachedResponse.Key) -> Observable<CachedResponse?> {
                .create { [isReading] _ in
                    isReading.accept(true)
                    return Disposables.create { isReading.accept(false) }
                }
            }
            func store(_ response: CachedResponse, for key: CachedResponse.Key) -> Observable<Void> { .just(()) }
            func remove(_ key: CachedResponse.Key) -> Observable<Void> { .just(()) }
        }
        let cache = Silent()
        let aborter = Aborter()
        let chain = URLChain(transport: Service().transport).cached(in: cache, .first).abortable(by: aborter)
        let outcome = Slot<any Error>()
        let stream = chain.route(.get, "http://localhost/").data.stream()
        let subscription = stream.subscribe(onError: { outcome.fill($0) })
        #expect(cache.isReading.value)
        aborter.abort()
        #expect(outcome.wait() is Aborter.OperationAborted)
        #expect(!cache.isReading.value)
        subscription.dispose()
    }
}
