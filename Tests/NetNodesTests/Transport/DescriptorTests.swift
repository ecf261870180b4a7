import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// In a process of its own, and the server in another: the limit is the whole process's.
@Suite(
    "File descriptor exhaustion", .enabled(if: ForeignServer.Kind.nginx.isInstalled, "nginx is missing"), .countsResources)
struct DescriptorTests {
    @Test(.startsChild, arguments: ["127.0.0.1", "localhost"])
    func `A burst leads to responses and typed errors, and later requests succeed`(host: String) async {
        await #expect(processExitsWith: .success) { [host] in
            // Without descriptors Dispatch could not.
            OpenDescriptors.prepareDispatch()
            let server = try ForeignServer(.nginx)
            defer { server.stop() }
            let request = HTTPRequest(.get, try "\(server.base.replacing("127.0.0.1", with: host))/person.json".url())
            for spare in [0, 1, 2, 3, 4, 5, 6, 10, 30] {
                let transport = CurlTransport()
                try OpenDescriptors.limit(toSpare: spare)
                let requests = (0..<200).map { _ in transport.response(to: request).convertToResult().asObservable() }
                let outcomes = Observable.merge(requests).ended().elements
                #expect(outcomes.count == 200)
                for case .failure(let error) in outcomes { #expect(TechnicalError(error)?.kind == "TechnicalError.cantConnectToHost") }
                try OpenDescriptors.unlimit()
                #expect(transport.response(to: request).ended().elements.first?.status == 200)
            }
        }
    }
}
