import Foundation
import StreamsTesting
import Testing

@testable import SystemSources

@Suite("The watch of an open file", .countsResources)
struct FileSystemWatchTests {
    private let place: Workplace
    private var log: URL { place.url("log") }

    init() throws { place = try Workplace() }

    @Test func `It is on the file that was opened, even if another one has taken its place`() throws {
        try place.write("log", "old\n")
        let opened = try Descriptor(opening: log.path)
        let writer = try FileHandle(forWritingTo: log)
        defer { try? writer.close() }
        try place.write("new", "new\n")
        try #require(rename(place.url("new").path, log.path) == 0)

        let watch = try FileSystemWatch()
        let old = try watch.addFile(opened, at: log.path)
        try writer.write(contentsOf: Data("more\n".utf8))
        #expect(try watch.events().map(\.watch) == [old])

        let new = try watch.addFile(Descriptor(opening: log.path), at: log.path)
        #expect(new != old)
        watch.remove(old)
        _ = try watch.events()
        try place.append("log", "more\n")
        #expect(try watch.events().map(\.watch) == [new])
    }
}
