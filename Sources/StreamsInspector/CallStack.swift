import CInspector
import CStreamsSystem
import Streams

/// The calls that led to the creation of an observable, as addresses, which are looked up only when a snapshot shows them.
final class CallStack: Sendable {
    /// The facts about an observable that follow from its stack.
    struct Origin: Sendable {
        var operatorName: String
        var place: InspectorSnapshot.Node.Place?
        /// The address in the program for which the place is looked up.
        var caller: UInt?
        /// Whether the package built it, and no line of the program did.
        var isInternal = false
    }

    /// The number of recorded calls: an operator that consists of others has several calls between the observable and the program.
    private static let limit = 28

    let addresses: [UInt]

    private init(_ addresses: [UInt]) {
        self.addresses = addresses
    }

    static func capture() -> CallStack {
        let top = InspectedThread.current.stackTop
        return CallStack(
            [UInt](unsafeUninitializedCapacity: limit) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = Int(streams_call_stack(start, Int32(limit), top))
            })
    }
}
