// The blocks of `Docs/NetNodes.md`, with what they take for granted.
import Foundation
import NetNodes
import Streams

private let base = URL(filePath: "/")

private enum Endpoint: URLRouteProvider {
    case photos, photo, teas

    func url() throws -> URL { try base + "\(self)" }
}

private struct Teas: Codable, Sendable { let next: String? }
private struct Tea: Codable, Sendable {}

private func signed(_ request: HTTPRequest) -> HTTPRequest { request }
private func unwrapped(_ response: HTTPResponse) throws -> HTTPResponse { response }

private func moved(_ url: URL, to mirror: URL) -> URL { mirror.appending(path: url.path()) }

private func middlewares<Stage, Input>(
    chain: URLChain<Stage, Input>, mirror: URL, scheduler: any Scheduler
) -> URLChain<Stage, Input> {
    let signing = HTTPMiddleware("Signing") { request, next in next(signed(request)) }
    let patient = HTTPMiddleware("Patient", .wholeResponsesOnly) { request, next in
        next(request).timeout(.seconds(5), scheduler: scheduler)
    }
    let mirrored = HTTPMiddleware("Mirrored") { request, next in
        var other = request
        other.url = moved(request.url, to: mirror)
        return next(request).ifConnectionFails(use: next(other))
    }

    let adapted = chain.inserting(signing).inserting(mirrored)  // where the request is complete, in this order
        .inserting(patient, outside: .refreshing)  // also around a refresh of the token
        .replacing(.mapHTTPErrors, with: HTTPMiddleware("Any status") { request, next in next(request) })
        .adaptingRequests { request in signed(request) }  // a closure, and adaptingResponses
        .adaptingResponses { response in try unwrapped(response) }
    return adapted
}

private func teas(ofPage number: Int) -> Observable<[String]> { .just([]) }

private func formsFilesAndPages(
    api: URLChain<Unrouted, Void>, photoURL: URL, file: URL, rows: Observable<Data>, reachedEnd: Observable<Void>
) -> [any Sendable] {
    let form = MultipartForm([.field("title", "Holidays"), .file("photo", photoURL, type: "image/jpeg")])
    let posted = api.route(.post, Endpoint.photos).multipart.void.stream(form)
    let replaced = api.route(.put, Endpoint.photo).upload(type: "image/jpeg").void.stream(photoURL)
    let saved = api.route(.get, Endpoint.photo).download(to: file).stream()  // progress, ..., finished
    // sent while it is made
    let exported = api.route(.put, Endpoint.photos).input(HTTPRequest.BodyStream.self).void.stream(HTTPRequest.BodyStream(rows))

    let all = api.route(.get, Endpoint.teas).pages([Tea].self, .offset(size: 20)).stream()  // until a page is short or empty
    let scrolled = api.route(.get, Endpoint.teas).pages(Teas.self, .cursor { $0.next }, wanted: reachedEnd).stream()
    let threeAtOnce = Observable.merge(
        (0..<3).map { first in
            Observable.pages(from: first) { page, number in
                page.isEmpty ? nil : number + 3
            } page: {
                teas(ofPage: $0)
            }
        })
    return [posted, replaced, saved, exported, all, scrolled, threeAtOnce]
}

private func log(api: URLChain<Unrouted, Void>) -> URLChain<Unrouted, Void> {
    let logged = api.log(.from(.info)) { log in print(log) }  // or .only(["retry"]), .except([...])
    return logged
}

private func logOfAContext(users: AnyNode<Void, [Tea]>) -> Observer<[Tea]> {
    users.process().process { context in print(context.log?.messages ?? []) }
    let context = users.process()
    return context
}

private func caches(api: URLChain<Unrouted, Void>, caches: URL) throws -> [URLChain<Unrouted, Void>] {
    let cache = try DiskResponseCache(directory: caches)  // or MemoryResponseCache()
    let revalidated = api.cached(in: cache)  // replaces a 304 by the stored response
    let storedFirst = api.cached(in: cache, .first)  // the stored response, then the network's
    let offline = api.cached(in: cache, .ifConnectionFails)  // the stored response if the connection fails
    return [revalidated, storedFirst, offline]
}

private func recordingsAndStubs(file: URL, request: HTTPRequest) throws -> [any Sendable] {
    let recorder = RecordingTransport(CurlTransport())  // use it in a chain, then:
    try recorder.recording.write(to: file)  // JSON, redacted
    let chain = URLChain(transport: try ReplayTransport(contentsOf: file))
    let stub = StubTransport { request in .json("[1, 2]", to: request) }
    print(request.curl)  // a command for any shell, redacted
    SecretNames.add("X-Tenant")  // secret from now on, everywhere
    return [chain, stub]
}

private func network(
    password: String, authorities: Data, certificate: Data, key: Data, digest: String
) -> [CurlTransport] {
    var configuration = CurlTransport.Configuration()
    configuration.network.proxy = .server(url: "socks5h://10.0.0.1:1080", user: "me", password: password)  // or .none
    configuration.network.addresses = [.init(host: "api.example.com", port: 443, addresses: ["10.0.0.7"])]
    configuration.tls.certificateAuthorities = .data(authorities)  // PEM in memory, or .file
    configuration.tls.clientCertificate = .init(certificate: .data(certificate), key: .data(key), password: password)
    configuration.tls.minimumVersion = .tls13
    configuration.tls.pinnedPublicKeys = [digest]  // base64 of the SHA-256 of a public key
    configuration.maximumConnectionAge = .seconds(300)
    let transport = CurlTransport(configuration)

    var local = CurlTransport.Configuration()
    local.network.unixSocket = "/var/run/docker.sock"  // http://docker/info is sent there
    return [transport, CurlTransport(local)]
}

private func dates(api: URLChain<Unrouted, Void>) {
    let dated = api.decoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }
    _ = dated
}
