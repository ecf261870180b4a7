import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// In a process of its own, and the server in another: the limit is the whole process's.
@Suite("File descriptor exhaustion", .enabled(if: ForeignServer.Kind.nginx.isInstalled, "nginx is missing"), .countsResources)
struct DescriptorTests {
    @Test("a burst leads to responses and typed errors, and later requests succeed", arguments: ["127.0.0.1", "localhost"])
    func burst(host: String) async {
        await #expect(processExitsWith: .success) { [host] in
            let server = try ForeignServer(.nginx)
            defer { server.stop() }
            let request = HTTPRequest(.get, try "\(server.base.replacing("127.0.0.1", with: host))/person.json".url())
            let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            for spare in [0, 1, 2, 3, 4, 5, 6, 10, 30] {
                let transport = CurlTransport()
                try limitDescriptors(to: used + spare)
                let requests = (0..<200).map { _ in transport.response(to: request).convertToResult().asObservable() }
                let outcomes = Observable.merge(requests).ended(within: 60).elements
                #expect(outcomes.count == 200)
                for case .failure(let error) in outcomes {
                    guard case TechnicalError.cantConnectToHost? = TechnicalError(error) else {
                        Issue.record("\(error)")
                        continue
                    }
                }
                try limitDescriptors(to: 1024)
                #expect(transport.response(to: request).ended(within: 20).elements.first?.status == 200)
            }
        }
    }
}

private func limitDescriptors(to count: Int) throws {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    limit.rlim_cur = rlim_t(count)
    guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
}
