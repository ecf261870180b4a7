import CInspector
import CStreamsSystem
import Streams

/// The calls that led to the creation of an observable: addresses, which are looked up only when a snapshot shows them.
final class CallStack: Sendable {
    /// What a stack says about an observable.
    struct Origin: Sendable {
        var operatorName: String
        var place: InspectorSnapshot.Node.Place?
        /// The address in the program that the place is looked up for.
        var caller: UInt?
        /// Whether the package built it, and no line of the program did.
        var isInternal = false
    }

    /// How many calls are recorded: an operator that is built of others has several between the observable and the program.
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
