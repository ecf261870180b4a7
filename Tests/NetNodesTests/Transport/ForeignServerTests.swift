import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// The chains against a server that keeps connections and compresses.
@Suite("Against nginx", .enabled(if: ForeignServer.Kind.nginx.isInstalled, "nginx is not installed"), .countsResources, .blocksThread)
struct NginxTests {
    private func checks() throws -> ForeignServerChecks { ForeignServerChecks(server: try ForeignServer(.nginx)) }

    @Test func `A model, bytes and nothing come out of a chain`() throws { try checks().outputs() }
    @Test func `Missing and forbidden resources are typed errors`() throws { try checks().refusals(ofPost: 405) }
    @Test func `Redirects are followed`() throws { try checks().redirects(from: "/moved", to: "/person.json") }
    @Test func `A directory redirects to itself with a slash`() throws {
        try checks().redirects(from: "/folder", to: "/folder/")
    }
    @Test func `HEAD has a length and no body`() throws { try checks().head() }
    @Test func `An unchanged resource is 304`() throws {
        try checks().conditional(validator: "ETag", condition: "If-None-Match")
    }
    @Test func `A transport keeps working after a disposed download`() throws { try checks().disposal() }
    @Test func `A thousand concurrent requests all succeed`() throws { try checks().atOnce(1_000) }
    @Test func `A killed server is a lost connection, and then a refused one`() throws { try checks().death() }

    @Test func `Compressed responses are decompressed`() throws {
        let server = try ForeignServer(.nginx)
        let response = try #require(
            URLChain(transport: CurlTransport()).route(.get, "\(server.base)/person.json").response.stream().ended().elements.first)
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(response.body == Data(Person.text.utf8))
    }

    @Test func `Consecutive requests use one connection`() throws {
        let server = try ForeignServer(.nginx)
        let chain = URLChain(transport: CurlTransport()).route(.get, "\(server.base)/person.json").response
        let reused = Observable.from((0..<20).map { _ in chain.stream() }).concat().ended().elements.map { $0.metrics?.reusedConnection }
        #expect(reused == [false] + Array(repeating: true, count: 19))
    }

    @Test func `Retry-After of a busy server is respected`() throws {
        let server = try ForeignServer(.nginx)
        let error = URLChain(transport: CurlTransport()).route(.get, "\(server.base)/busy").void.stream().ended().error as? HTTPError
        #expect(error?.status == 503)
        #expect(error?.retryAfter == .seconds(7))
    }

    @Test func `A hundred concurrent rejections lead to one refresh`() throws {
        let server = try ForeignServer(.nginx)
        let token = BehaviorRelay(value: "first")
        let refreshes = Counter()
        let base = URLChain(transport: CurlTransport())
        let refresher = TokenRefresherNode(chain: base.route(.get, "\(server.base)/token").output(String.self)) { fresh in
            refreshes.increment()
            token.accept(fresh)
        }
        let chain = base.headers(Bearer(token: token)).route(.get, "\(server.base)/guarded").refreshingAccess(with: refresher).output(
            Person.self)
        let all = Observable.merge((0..<100).map { _ in chain.stream() }).ended()
        #expect(all.elements == Array(repeating: Person(name: "Bob"), count: 100))
        #expect(refreshes.value == 1)
    }

    private struct Bearer: HeaderProvider {
        let token: BehaviorRelay<String>
        func headers() -> HTTPHeaders { ["Authorization": "Bearer \(token.value)"] }
    }
}

/// The chains against a server that speaks HTTP/1.0 and closes after each answer.
@Suite(
    "Against Python's http.server", .enabled(if: ForeignServer.Kind.python3.isInstalled, "python3 is not installed"), .countsResources,
    .blocksThread)
struct PythonServerTests {
    private func checks() throws -> ForeignServerChecks { ForeignServerChecks(server: try ForeignServer(.python3)) }

    @Test func `A model, bytes and nothing come out of a chain`() throws { try checks().outputs() }
    @Test func `Missing and forbidden resources are typed errors`() throws { try checks().refusals(ofPost: 501) }
    @Test func `A directory redirects to itself with a slash`() throws {
        try checks().redirects(from: "/folder", to: "/folder/")
    }
    @Test func `HEAD has a length and no body`() throws { try checks().head() }
    @Test
    func `An unchanged resource is 304`() throws { try checks().conditional(validator: "Last-Modified", condition: "If-Modified-Since") }
    @Test func `A transport keeps working after a disposed download`() throws { try checks().disposal() }
    @Test func `Two hundred concurrent requests all succeed`() throws { try checks().atOnce(200) }
    @Test func `A killed server is a lost connection, and then a refused one`() throws { try checks().death() }
}

/// The behaviour with every server that serves files.
private struct ForeignServerChecks {
    let server: ForeignServer
    private let base = URLChain(transport: CurlTransport())

    init(server: ForeignServer) { self.server = server }

    private func chain(_ path: String, _ method: HTTPRequest.Method = .get) -> URLChain<Routed, Void> {
        base.route(method, server.base + path)
    }

    func outputs() throws {
        #expect(chain("/person.json").output(Person.self).stream().ended().elements == [Person(name: "Bob")])
        #expect(chain("/person.json").output(JSON.self).stream().ended().elements == [["name": "Bob"]])
        #expect(chain("/person.json").query(["a": "b c"]).void.stream().ended().elements.count == 1)
        #expect(chain("/large").data.stream().ended().elements == [ForeignServer.largeFile])
    }

    func refusals(ofPost status: Int) throws {
        let missing = chain("/missing?key=SECRET").output(Person.self).stream().ended().error as? HTTPError
        #expect(missing?.status == 404)
        #expect(missing?.description.contains("SECRET") == false)
        let refused =
            base.input(Person.self).route(.post, "\(server.base)/person.json").void.stream(Person(name: "Eve")).ended().error as? HTTPError
        #expect(refused?.status == status)
        let wrong = chain("/folder/index.html").output(Person.self).stream().ended().error
        #expect(wrong is JSON.SyntaxError)
    }

    func redirects(from: String, to: String) throws {
        let response = try #require(chain(from).response.stream().ended().elements.first)
        #expect(response.status == 200)
        #expect(response.url.absoluteString == server.base + to)
        #expect(response.metrics?.redirects == 1)
    }

    func head() throws {
        let response = try #require(chain("/large", .head).response.stream().ended().elements.first)
        #expect(response.head.expectedLength == Int64(ForeignServer.largeFile.count))
        #expect(response.body.isEmpty)
    }

    func conditional(validator: String, condition: String) throws {
        let first = try #require(chain("/large", .head).response.stream().ended().elements.first)
        let value = try #require(first.headers[validator])
        let second = try #require(
            base.headers([condition: value]).route(.get, "\(server.base)/large").response.stream().ended().elements.first)
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
    }

    func disposal() throws {
        let transport = CurlTransport()
        let request = HTTPRequest(.get, try "\(server.base)/large".url())
        for _ in 0..<10 {
            let begun = Slot<Bool>()
            let subscription = transport.transfer(request).subscribe { event in
                if case .next(.head) = event { begun.fill(true) }
            }
            #expect(begun.wait() == true)
            subscription.dispose()
        }
        #expect(transport.response(to: request).ended().elements.first?.body == ForeignServer.largeFile)
    }

    func atOnce(_ count: Int) throws {
        let node = chain("/person.json").output(Person.self)
        let all = Observable.merge((0..<count).map { _ in node.stream() }).ended()
        #expect(all.error == nil)
        #expect(all.elements == Array(repeating: Person(name: "Bob"), count: count))
    }

    func death() throws {
        let failed = Slot<TransportError>()
        let begun = Slot<Bool>()
        let didResume = Slot<Bool>()
        let subscription = CurlTransport().transfer(HTTPRequest(.get, try "\(server.base)/large".url())).subscribe { event in
            switch event {
            case .next(.chunk):
                begun.fill(true)
                _ = didResume.wait()
            case .error(let error as TransportError): failed.fill(error)
            default: break
            }
        }
        #expect(begun.wait() == true)
        server.stop()
        didResume.fill(true)
        let technical = failed.wait().flatMap { TechnicalError($0) }
        #expect(technical?.kind == "TechnicalError.connectionLost")
        #expect(chain("/person.json").void.stream().ended().error?.kind == "TechnicalError.cantConnectToHost")
        subscription.dispose()
    }
}
