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
        chain = chain.inserting(HTTPMiddleware("LongChunks") { request, next in next(request.inLongChunks) })
        guard let body else { return chain.transfer.stream() }
        return chain.input(RequestData.self).transfer.stream(body)
    }
}

extension RequestOptions {
    /// Returns a transport with these certificates and this network, which emits the events of its connections.
    func transport(tracing trace: PublishSubject<TransferTrace>?) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = nil
        configuration.tls.verifiesServer = security.verifiesServer
        configuration.tls.certificateAuthorities = security.authorities.map { .file($0) }
        configuration.tls.clientCertificate = security.certificate.map {
            TLSOptions.ClientCertificate(certificate: .file($0), key: security.key.map { .file($0) })
        }
        configuration.network = network
        configuration.network.omittedHeaders = omittedHeaders
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
            ("--http1.1", network.httpVersion == .http1),
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
