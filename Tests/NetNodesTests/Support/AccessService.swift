import Foundation
import LoopbackServer

@testable import NetNodes

/// A service behind a token, and chains to it.
struct AccessService {
    let gate: LoopbackServer.TokenGate
    let server: LoopbackServer
    let me: AnyNode<Void, Data>
    let transport: CurlTransport
    let tokens: BehaviorRelay<LoopbackServer.Tokens>
    let refresher: TokenRefresherNode

    private struct Bearer: HeaderProvider {
        let tokens: BehaviorRelay<LoopbackServer.Tokens>
        func headers() -> HTTPHeaders { ["Authorization": "Bearer \(tokens.value.accessToken)"] }
    }

    private struct RefreshBody: Encodable, Sendable { var refreshToken: String }

    /// - Parameters:
    ///   - delay: how long a refresh takes at the server.
    ///   - release: a refresh that has been answered ends when this sends something.
    ///   - guarded: the route that the gate protects, as the test wants it.
    init(
        delay: Duration = .milliseconds(50), until release: Observable<Void> = .just(()), connections: Int = 64,
        guarded: (LoopbackServer.Route) -> LoopbackServer.Route = { $0 }
    ) throws {
        gate = LoopbackServer.TokenGate(checksRefreshToken: true)
        server = try running(
            guarded(gate.protect(.get("/me") { _ in .text("me") })), gate.refreshRoute().with(.delay(delay)))
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHost = connections
        transport = CurlTransport(configuration)
        let tokens = BehaviorRelay(value: gate.tokens)
        self.tokens = tokens
        let refresh = URLChain(transport: transport).route(.post, try server.baseURL + "token/refresh").input(RefreshBody.self)
            .output(LoopbackServer.Tokens.self)
        let chain = AnyNode<Void, LoopbackServer.Tokens> {
            refresh.stream(RefreshBody(refreshToken: tokens.value.refreshToken)).concatMap { tokens in release.take(1).map { tokens } }
        }
        refresher = TokenRefresherNode(chain: chain) { tokens.accept($0) }
        me =
            URLChain(transport: transport).route(.get, try server.baseURL + "me").headers(Bearer(tokens: tokens))
            .refreshingAccess(with: refresher).data
    }

    /// Each of so many requests at once: 0 for an answer, the status of the error otherwise.
    func statuses(_ count: Int) -> Observable<Int> {
        Observable.merge((0..<count).map { _ in me.stream().convertedError() })
    }
}

extension ObservableType<Data> {
    /// The status of the error that ends the stream, 0 for an answer.
    func convertedError() -> Observable<Int> {
        map { _ in 0 }.catch { .just(($0 as? HTTPError)?.status ?? -1) }
    }
}
