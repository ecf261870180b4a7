import Foundation
import LoopbackServer

@testable import NetNodes

extension FaultRow {
    private static let url = "http://HOST/a?key=***"

    /// Answers that are used while they come, forms and files.
    static let streaming: [FaultRow] = [
        lines(
            "a line that is not JSON", "{\"name\":\"Bob\"}\nname: Eve\n", "JSON.LinesFailure.notJSON",
            "Line 2 is not JSON (column 1): unexpected character, near \"name: Eve\"."),
        lines(
            "a line that does not match the model", "{\"name\":7}\n", "JSON.LinesFailure.unfit",
            "Line 1: The response does not match Person at name: expected String."),
        FaultRow(
            "truncated lines", "TechnicalError.connectionLost",
            "The response of \(url) ended after 20 bytes: 80 bytes are missing.", again: true
        ) { server, chain in
            server.add(.get("/a") { _ in .text(String(repeating: "\n", count: 100)).with(.truncate(after: 20)) })
            return chain.route(.get, "\(server.baseURL)/a?key=SECRET").lines(Person.self).stream().map { _ in () }
        },
        download(
            "a truncated download", to: FileManager.default.temporaryDirectory.appending(path: "never-\(UUID().uuidString)"),
            .text(String(repeating: "x", count: 100)).with(.truncate(after: 20)), "TechnicalError.connectionLost",
            "The response of \(url) ended after 20 bytes: 80 bytes are missing.", again: true),
        download(
            "a rejected download", to: FileManager.default.temporaryDirectory.appending(path: "never-\(UUID().uuidString)"),
            .empty(403), "HTTPError.forbidden", "\(url) responded with 403 (forbidden)."),
        download(
            "a download to where nothing can be written", to: URL(filePath: "/nowhere/at/all"), .text("x"), "Download.Failure.unwritable",
            "The download cannot be written to /nowhere/at/all: No such file or directory."),
        FaultRow("a form without a part", "MultipartForm.Failure.noParts", "A form without a single part cannot be sent.") {
            server, chain in
            chain.multipart.route(.post, server.baseURL).void.stream(MultipartForm([]))
        },
        FaultRow(
            "a line break in the media type of a part", "MultipartForm.Failure.invalidType",
            "The media type of the part \"file\" contains an invalid character."
        ) { server, chain in
            let form = MultipartForm([.data("file", Data(), fileName: "a", type: "text/plain\r\nX-Evil: SECRET")])
            return chain.multipart.route(.post, server.baseURL).void.stream(form)
        },
        FaultRow(
            "a form's file that cannot be read", "TransportError.unreadableBody",
            "The file /nowhere/at/all cannot be sent: No such file or directory."
        ) { server, chain in
            let form = MultipartForm([.file("file", URL(filePath: "/nowhere/at/all"))])
            return chain.multipart.route(.post, server.baseURL).void.stream(form)
        },
        FaultRow(
            "an unrecorded request", "Recording.Failure.notRecorded", "There is no response to GET \(url) in the recording."
        ) { server, _ in
            let chain = URLChain(transport: ReplayTransport(Recording()))
            return chain.route(.get, "\(server.baseURL)/a?key=SECRET").void.stream()
        },
    ]

    private static func lines(_ fault: String, _ text: String, _ error: String, _ sentence: String) -> FaultRow {
        FaultRow(fault, error, sentence) { server, chain in
            server.add(.get("/a") { _ in .text(text) })
            return chain.route(.get, "\(server.baseURL)/a?key=SECRET").lines(Person.self).stream()
                .flatMap { _ in Observable<Void>.empty() }
        }
    }

    private static func download(
        _ fault: String, to target: URL, _ answer: LoopbackServer.Response, _ error: String, _ sentence: String, again: Bool = false
    ) -> FaultRow {
        FaultRow(fault, error, sentence, again: again) { server, chain in
            server.add(.get("/a") { _ in answer })
            return chain.route(.get, "\(server.baseURL)/a?key=SECRET").download(to: target).stream()
                .flatMap { _ in Observable<Void>.empty() }
        }
    }
}
