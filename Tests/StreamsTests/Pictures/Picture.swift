import Foundation
import StreamsTesting
import Testing

/// One operator's marble diagram: what goes in, what comes out, and when each upstream is subscribed to and let go. The same picture
/// stands in the operator's documentation.
struct Picture: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let inputs: [String]
    let isCold: Bool
    let result: String
    let legend: [Character: String]
    let error: any Error
    /// The subscriptions of each input, as diagrams with a space between them; nil where they do not show.
    let subscriptions: [String]?
    let make: @Sendable (PictureInputs) -> Observable<String>

    /// `heard` are the subscriptions of hot inputs, one text an input.
    init<Element>(
        _ name: String, in file: String, _ inputs: String..., gives result: String, where legend: [Character: String] = [:],
        failing error: any Error = TestError.failed, heard subscriptions: String...,
        make: @escaping @Sendable (PictureInputs) -> Observable<Element>
    ) {
        (self.name, self.file, self.inputs, self.result) = (name, file, inputs, result)
        (self.legend, self.error, self.subscriptions) = (legend, error, subscriptions)
        isCold = false
        self.make = { make($0).map { String(describing: $0) } }
    }

    /// An operator on one input that starts anew for each subscriber.
    init<Element>(
        _ name: String, in file: String, cold input: String, gives result: String, heard subscriptions: String?,
        make: @escaping @Sendable (PictureInputs) -> Observable<Element>
    ) {
        (self.name, self.file, self.inputs, self.result) = (name, file, [input], result)
        (legend, error, self.subscriptions) = ([:], TestError.failed, subscriptions.map { [$0] })
        isCold = true
        self.make = { make($0).map { String(describing: $0) } }
    }

    var testDescription: String { name }

    /// The lines that the documentation of the operator shows.
    var lines: [String] { inputs + [result] }
}

/// What a picture's operator is applied to.
final class PictureInputs: Sendable {
    let scheduler: TestScheduler
    private let sources: [Observable<String>]

    init(_ sources: [Observable<String>], _ scheduler: TestScheduler) {
        self.sources = sources
        self.scheduler = scheduler
    }

    var letters: Observable<String> { sources[0] }
    var others: Observable<String> { sources[1] }
    var numbers: Observable<Int> { letters.map { Int($0) ?? -1 } }
    var otherNumbers: Observable<Int> { others.map { Int($0) ?? -1 } }

    /// Loads for three seconds what it is asked for.
    var loading: @Sendable (String) -> Observable<String> {
        { [scheduler] letter in Observable.timer(.seconds(3), scheduler: scheduler).map { (_: Int) in letter } }
    }
}

extension Picture {
    /// Every picture, by chapter.
    static let all =
        creation + transforming + transforming2 + filtering + filtering2 + timing + combining + errorHandling + sharing + aggregating
        + utility + nodes
}
