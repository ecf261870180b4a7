import Foundation
import StreamsTesting

/// The contents and the names of files: those that programs see, and those that a power cut leaves.
///
/// Names reach the disk in the order in which they were changed, as with the journal of a file system: whatever brings a change to the disk
/// brings along all those before it.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class DiskContents: @unchecked Sendable {
    /// The content of a file, which may have a name or none.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    final class Content: @unchecked Sendable {
        var content = Data()
        /// The number of bytes that are on the disk.
        var flushed = 0
        var modificationDate = Date(timeIntervalSince1970: 0)
    }

    /// A change of names that is not on the disk.
    private struct Change {
        let entries: [(name: String, content: Content?)]
        let description: String
    }

    /// The names that programs see.
    private(set) var names: [String: Content] = [:]
    private var flushedNames: [String: Content] = [:]
    private var changes: [Change] = []

    /// Lets names lead to other contents, or to none, all at once.
    func change(_ entries: [(name: String, content: Content?)], _ description: String) {
        for entry in entries { names[entry.name] = entry.content }
        changes.append(Change(entries: entries, description: description))
    }

    /// Brings the changes of names to the disk, as far as those of a content; all of them without one.
    func flushNames(through content: Content?) {
        guard let content else { return flushChanges(changes.count) }
        // The creation only: a file that is renamed and flushed may still have its old name after a power cut.
        let creation = changes.firstIndex { $0.entries.count == 1 && $0.entries[0].content === content }
        if let creation { flushChanges(creation + 1) }
    }

    private func flushChanges(_ count: Int) {
        for entry in changes.prefix(count).flatMap(\.entries) { flushedNames[entry.name] = entry.content }
        changes.removeFirst(count)
    }

    /// Loses what is not on the disk: the generator decides how many of the changes of names, and how many bytes of each file, have reached
    /// it all the same. Returns what was lost.
    func loseUnflushed(using random: inout SeededGenerator) -> [String] {
        if !changes.isEmpty { flushChanges(Int.random(in: 0...changes.count, using: &random)) }
        var losses = changes.map(\.description)
        changes = []
        names = flushedNames
        for (name, content) in names.sorted(by: { $0.key < $1.key }) {
            let count = content.content.count
            guard content.flushed < count else { continue }
            // Often nothing has reached the disk, and sometimes a part.
            if Bool.random(using: &random) { content.flushed = Int.random(in: content.flushed...count, using: &random) }
            if content.flushed < count { losses.append("bytes \(content.flushed)..<\(count) of \(name)") }
            content.content = content.content.prefix(content.flushed)
        }
        return losses
    }
}
