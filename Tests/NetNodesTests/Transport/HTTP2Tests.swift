import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("HTTP/2 over TLS", .enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"), .countsResources)
struct HTTP2Tests {
    private func withChain(_ test: (URLChain<Unrouted, Void>, String) throws -> Void) throws {
        let server = try SecureNginx()
        defer { server.stop() }
        try test(URLChain(transport: CurlTransport(trusting: server.certificate.path)).timeout(.seconds(300)), server.base)
    }

    @Test func `concurrent requests share connections`() throws {
        try withChain { chain, base in
            let person = chain.route(.get, "\(base)/person.json").response
            let first = try #require(person.stream().ended().elements.first?.metrics)
            #expect(first.protocolName == "HTTP/2")
            #expect(abs(try #require(first.certificateExpiry).timeIntervalSinceNow - 2 * 24 * 60 * 60) < 600)
            let responses = Observable.merge((0..<500).map { _ in person.stream() }).ended()
            #expect(responses.error == nil)
            #expect(responses.elements.count == 500)
            #expect(responses.elements.allSatisfy { $0.body == Data(Person.text.utf8) && $0.metrics?.protocolName == "HTTP/2" })
            // nginx takes 128 requests at once on one; libcurl makes others for the rest, as many as there may be.
            #expect(responses.elements.count { $0.metrics?.reusedConnection == false } < 64)
        }
    }

    @Test func `a stream that is too long, rejected or disposed does not affect others`() throws {
        try withChain { chain, base in
            let large = chain.route(.get, "\(base)/large")
            let whole = Slot<Ended<Int>>()
            let download = large.data.stream().map(\.count).reduce(0) { $0 + $1 }
            let beside = download.materialize().subscribe { event in
                if case .next(.next(let count)) = event { whole.fill(Ended(elements: [count])) }
                if case .next(.error(let error)) = event { whole.fill(Ended(error: error)) }
            }
            defer { beside.dispose() }
            for _ in 0..<20 {
                let tooLong = large.maximumBodySize(1000).data.stream().ended().error as? TransportError
                #expect(tooLong == .bodyTooLarge(limit: 1000, url: "\(base)/large"))
                #expect(large.transfer.stream().take(5).ended().error == nil)
            }
            let upload = chain.route(.post, "\(base)/person.json").input(Data.self).response.stream(Data(repeating: 1, count: 5_000_000))
                .ended()
            #expect(upload.elements.first?.status == 413)
            let result = try #require(whole.wait())
            #expect(result.elements == [ForeignServer.largeFile.count], "\(result)")
        }
    }
}
