import Foundation
import Streams

/// Texts that no other program uses; those of a simulation follow from its seed.
enum RandomText {
    /// Identifies a message.
    static var id: String { uuid.uuidString }

    /// The subjects of the answers to one connection begin with it.
    static var inbox: String { "_INBOX.\(uuid.uuidString.filter { $0 != "-" })" }

    private static var uuid: UUID {
        guard SimulatedSystem.current != nil else { return UUID() }
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { CurrentRandomNumberGenerator().fill($0) }
        return UUID(uuid: bytes)
    }
}
