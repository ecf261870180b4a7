import TestSupport
import Testing

@testable import TerminalViews

/// In a process of its own, which opens nothing else meanwhile.
@Suite("The reader of a descriptor")
struct DescriptorReaderTests {
    @Test(.startsChild) func `No program that is started meanwhile inherits what it opens`() async {
        await #expect(processExitsWith: .success) {
            let terminal = try #require(PseudoTerminal(size: Size(width: 80, height: 24)))
            let found = try OpenDescriptors.inheritable {
                for _ in 0..<5_000 { try DescriptorReader(terminal.program) { _ in }.stop() }
            }
            #expect(found == [])
        }
    }
}
