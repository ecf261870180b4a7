import Foundation

/// A change in a directory; the names are those of files and folders directly in it.
public enum DirectoryChange: Sendable, Equatable {
    /// It was there when the subscription began.
    case existing(String)
    /// It was created in the directory, or moved there from another one.
    case created(String)
    /// Its contents have changed. Several changes that were not received yet count once.
    case modified(String)
    /// A program that could write to it has closed it: it is as complete as that program left it.
    case closed(String)
    /// Its permissions, times or owner have changed.
    case attributesChanged(String)
    /// It was removed from the directory, or moved to another one.
    case removed(String)
    /// It was renamed in the directory, and has replaced what had that name.
    case renamed(from: String, to: String)
    /// There were more changes than the system stores, and some were lost: list the directory anew.
    case overflowed
}

extension Observable where Element == DirectoryChange {
    /// Emits the changes in a directory as they happen, not those in its folders.
    ///
    /// ```swift
    /// let arrived = Observable.changes(in: inbox, includingExisting: true)
    /// // --a--b---c--
    /// ```
    ///
    /// With `includingExisting` it begins with what is there: nothing is missed between that list and the changes, though a file that was
    /// created meanwhile may be in both. While the observer works the system stores the changes, on Linux 16,384 of them, and then says
    /// `overflowed`. On Apple's systems the names are compared: `created` and `removed` only.
    ///
    /// Fails with a ``SystemSourceError``: `notFound`, `notDirectory`, `notPermitted`, `outOfResources` (Linux allows a user some 128 such
    /// subscriptions and followed files, `fs.inotify.max_user_instances`), and `removed` when the directory is removed or moved.
    /// Source: [inotify](https://man7.org/linux/man-pages/man7/inotify.7.html).
    public static func changes(in directory: URL, includingExisting: Bool = false) -> Observable<DirectoryChange> {
        .onThread { thread in
            let path = directory.path(percentEncoded: false)
            let watch = try FileSystemWatch()
            _ = try watch.addDirectory(path, for: .contents)
            var names = try DirectoryNames(path, isNeeded: includingExisting)
            if includingExisting {
                for name in names.known.sorted() where !thread.emit(.existing(name)) { return }
            }
            while !thread.isDisposed {
                _ = try thread.waker.wait(reading: [watch.number])
                for change in try names.changes(of: watch.events()) where !thread.emit(change) { return }
                guard !names.isRemoved else { throw SystemSourceError.removed(path: path) }
            }
        }
    }
}

/// Turns events of the system into changes.
private struct DirectoryNames {
    private let path: String
    private(set) var known: Set<String> = []
    private(set) var isRemoved = false

    init(_ path: String, isNeeded: Bool) throws {
        self.path = path
        #if !canImport(Darwin)
            guard isNeeded else { return }
        #endif
        known = try list()
    }

    mutating func changes(of events: [FileSystemEvent]) throws -> [DirectoryChange] {
        var changes: [DirectoryChange] = []
        var rest = events[...]
        while let event = rest.popFirst() {
            switch event.kind {
            case .created, .movedTo: changes.append(.created(event.name))
            case .modified: changes.append(.modified(event.name))
            case .closed: changes.append(.closed(event.name))
            case .attributesChanged where !event.name.isEmpty: changes.append(.attributesChanged(event.name))
            case .removed: changes.append(.removed(event.name))
            case .movedFrom:
                // The two events of a rename follow one another.
                if let next = rest.first, next.kind == .movedTo, next.cookie == event.cookie {
                    rest.removeFirst()
                    changes.append(.renamed(from: event.name, to: next.name))
                } else {
                    changes.append(.removed(event.name))
                }
            case .listingChanged: changes += try difference()
            case .watchedRemoved: isRemoved = true
            case .overflowed: changes.append(.overflowed)
            case .attributesChanged: break
            }
        }
        return changes
    }

    private mutating func difference() throws -> [DirectoryChange] {
        let before = known
        known = try list()
        return before.subtracting(known).sorted().map { .removed($0) } + known.subtracting(before).sorted().map { .created($0) }
    }

    private func list() throws -> Set<String> {
        guard let folder = opendir(path) else { throw SystemSourceError("opendir", path: path) }
        defer { closedir(folder) }
        var names: Set<String> = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.insert(name) }
        }
        return names
    }
}

/// What of a directory is watched.
enum DirectoryInterest {
    /// That it is removed or moved.
    case itself
    /// The names in it, too.
    case names
    /// What is written to its files, too.
    case contents
}

/// What a watch on a directory or a file reports.
struct FileSystemEvent {
    enum Kind {
        case created, modified, closed, attributesChanged, removed, movedFrom, movedTo
        /// The names in the directory have changed; which is not known.
        case listingChanged
        /// What is watched was removed, moved or unmounted.
        case watchedRemoved
        /// Events were lost.
        case overflowed
    }

    let watch: Int32
    let kind: Kind
    /// The name of the file in the watched directory; empty if it is about what is watched itself.
    var name = ""
    /// The same for the two events of one move.
    var cookie: UInt32 = 0
}
