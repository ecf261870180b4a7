import Foundation

/// What a fuzzer found worth keeping: inputs that each reached a new place in the parser, in Base64.
enum OperationCorpus {
    static let inputs: [[UInt8]] = base64.compactMap { Data(base64Encoded: $0).map(Array.init) }

    private static let base64 = [
        "UElORw0K"
    ]
}
