import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// The source location of an expectation, written out because Swift Testing's macro for it is unavailable where only XCTest is imported.
struct ExpectationPlace {
    let fileID: String
    let file: StaticString
    let line: UInt
    let column: UInt

    /// Fails the running test, whichever library runs it.
    func fail(_ text: String) {
        #if canImport(XCTest)
            // Swift Testing knows its running test. Without one, this is an XCTest test, or a thread of either library.
            if Test.current == nil { XCTFail(text, file: file, line: line) }
        #endif
        let location = SourceLocation(fileID: fileID, filePath: "\(file)", line: Int(line), column: Int(column))
        Issue.record("\(text)", sourceLocation: location)
    }
}
