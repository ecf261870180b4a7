import Foundation
import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("The pictures of the documentation", .onOneThread, .countsResources)
struct PictureTests {
    @Test(arguments: Operator.all.flatMap(\.pictures)) func `Every operator behaves as its marble diagram`(_ picture: Picture) throws {
        let run = try picture.run()
        run.observer.expect(picture.result, values: picture.legend, error: picture.error)
        if let subscriptions = picture.subscriptions { #expect(run.subscriptions == subscriptions) }
    }

    @Test(arguments: Operator.all) func `The documentation contains the marble diagram`(_ entry: Operator) throws {
        let comments = try Documentation.lines(of: entry.file).compactMap(Documentation.comment)
        for line in entry.pictures.flatMap(\.lines) {
            let isShown = comments.contains { comment in
                comment.hasPrefix("// ") && (comment.hasSuffix(" \(line)") || comment.contains(" \(line)   "))
            }
            #expect(isShown, "\(entry.file).swift does not show \(line)")
        }
    }
}
