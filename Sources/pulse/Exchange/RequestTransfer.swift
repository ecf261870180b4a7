import Foundation
import NetNodes

extension PreparedRequest {
    /// Returns the events of the request's transfer, through the whole node chain. Cold: each subscription sends it anew.
    ///
    /// - Parameters:
    ///   - transport: sends it.
    ///   - providers: of further headers, asked for each attempt.
    func transfer(on transport: any Transport, headersFrom providers: any HeaderProvider...) -> Observable<TransferEvent> {
        var chain = URLChain(transport: transport).route(method, url).headers(headers).timeouts(timeouts).redirects(redirects)
        for provider in providers { chain = chain.headers(provider) }
        guard let body else { return chain.transfer.stream() }
        return chain.input(RequestData.self).transfer.stream(body)
    }
}

extension RequestOptions.Security {
    /// A transport with these certificates, which emits what happens on its connections.
    func transport(tracing trace: PublishSubject<TransferTrace>?) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.userAgent = nil
        configuration.verifiesServer = verifiesServer
        configuration.certificateAuthorities = authorities
        configuration.clientCertificate = certificate
        configuration.clientKey = key
        if let trace { configuration.trace = { trace.onNext($0) } }
        return CurlTransport(configuration)
    }

    /// A transport that sends nothing: it answers with the curl command that sends the request.
    func commandTransport(revealingSecrets: Bool) -> StubTransport {
        StubTransport { request in
            .text((revealingSecrets ? request.curlRevealingSecrets : request.curl) + curlFlags + "\n", to: request)
        }
    }

    private var curlFlags: String {
        let files = [("--cacert", authorities), ("--cert", certificate), ("--key", key)].compactMap { flag, path in
            path.map { " \(flag) '\($0.replacing("'", with: "'\\''"))'" }
        }
        return (verifiesServer ? "" : " --insecure") + files.joined()
    }
}
