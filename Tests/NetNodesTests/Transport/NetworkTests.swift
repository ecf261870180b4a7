import Foundation
import StreamsTesting
import Testing

@testable import NetNodes
@testable import SocketNodes

/// Whether the system has a network at all.
@Suite("Networks of the system", .countsResources)
struct NetworkTests {
    private static let canRemoveNetworks = (try? ForeignProgram.run("/usr/bin/env", ["unshare", "-n", "true"])) == 0

    /// Leaves this thread, and those that it starts, without a network.
    private static func removeNetworks() -> Bool {
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
        let newNetworks: Int32 = 0x4000_0000
        return unshare(newNetworks) == 0
    }

    @Test(arguments: [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT])
    func `There is none if no kind of address has a route`(error: Int32) {
        #expect(!SystemNetwork.hasRoute { _ in error })
        #expect(SystemNetwork.hasRoute { $0 == .v4 ? error : 0 })
        #expect(SystemNetwork.hasRoute { $0 == .v6 ? error : 0 })
    }

    @Test(arguments: [EPERM, EMFILE, EHOSTUNREACH]) func `Another failure does not tell that there is none`(error: Int32) {
        #expect(SystemNetwork.hasRoute { _ in error })
    }

    @Test(.startsChild, .enabled(if: canRemoveNetworks, "the system does not allow `unshare -n`"))
    func `A host that is not found without a network is an unreachable network`() async {
        await #expect(processExitsWith: .success) {
            #expect(Self.removeNetworks())
            #expect(!SystemNetwork.hasRoute)
            let result = collect(HTTPRequest(.get, try "http://example.com/".url()), on: CurlTransport())
            #expect(result.error == .networkUnreachable(url: "http://example.com/"))
            let error = try #require(result.error)
            guard case .noInternetConnection? = TechnicalError(error) else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
