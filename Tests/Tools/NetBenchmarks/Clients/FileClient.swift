import Foundation
import NetNodes
import Synchronization

/// Downloads a megabyte into a file through a chain, one download after another.
struct FileClient: Client {
    /// The size of the body, in bytes.
    static let size = 1_000_000

    let name = "file"
    let onlyAtOnce: Int? = 1
    private let file = FileManager.default.temporaryDirectory.appending(path: "NetBenchmarks-\(UUID().uuidString)")
    private let download: AnyNode<Void, Download>

    /// The URL of the body differs in the last component of its path.
    init(besides url: URL) {
        let url = url.deletingLastPathComponent().appending(path: "megabyte")
        download = URLChain(transport: CurlTransport()).route(.get, url).download(to: file)
    }

    func run(_ count: Int, atOnce: Int) throws {
        defer { try? FileManager.default.removeItem(at: file) }
        let done = DispatchSemaphore(value: 0)
        let failure = Mutex(String?.none)
        Task {
            do {
                for _ in 0..<count { try await next() }
            } catch {
                failure.withLock { $0 = error.localizedDescription }
            }
            done.signal()
        }
        done.wait()
        if let text = failure.withLock({ $0 }) { throw LostAnswer(client: name, text: text) }
    }

    private func next() async throws {
        guard case .finished(let file) = try await download.stream().lastElement() else {
            throw LostAnswer(client: name, text: "not finished")
        }
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_size == Self.size else {
            throw LostAnswer(client: name, text: "\(status.st_size) bytes")
        }
    }
}
