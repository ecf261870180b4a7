// The block of `Docs/ComingFromAsyncHTTPClient.md`, with what it takes for granted.
import Foundation
import NetNodes

private func requests(_ url: URL) async throws {
    let transport = CurlTransport()
    let request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])

    let response = try await transport.response(to: request).firstElement()  // execute(_:timeout:), and collect(upTo:)
    print(response.status, response.data.count)

    for try await chunk in transport.transfer(request).bodyChunks().values {  // for try await buffer in response.body
        print(chunk.count)
    }
}
