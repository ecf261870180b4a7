import Foundation

/// A change in a directory. The names are those of files and folders directly in it.
public enum DirectoryChange: Sendable, Equatable {
    /// The file was there when the subscription began.
    case existing(String)
    /// The file was created in the directory, or moved there from another one.
    case created(String)
    /// The contents of the file have changed. Several changes that were not received yet count once.
    case modified(String)
    /// A program that could write to the file has closed it: it is as complete as that program left it.
    case closed(String)
    /// The permissions, times or owner of the file have changed.
    case attributesChanged(String)
    /// The file was removed from the directory, or moved to another one.
    case removed(String)
    /// The file was renamed in the directory, and has replaced any file that had the new name.
    case renamed(from: String, to: String)
    /// There were more changes than the system stores, and some were lost: list the directory again.
    case overflowed
}

extension Observable where Element == DirectoryChange {
    /// Emits the changes in a directory as they happen, but not those in its folders.
    ///
    /// ```swift
    /// let arrived = Observable.changes(in: inbox, includingExisting: true)
    /// // --a--b---c--
    /// ```
    ///
    /// With `includingExisting` the stream begins with the existing files. No change is missed between that list and the changes, but a
    /// file that was created meanwhile may be in both. While the observer works, the system stores the changes, on Linux 16,384 of them;
    /// after that it reports `overflowed`. On Apple's systems the names are compared, so there is only `created` and `removed`.
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
                try thread.wait(reading: [watch.number])
                for change in try names.takeChanges(of: watch.events()) where !thread.emit(change) { return }
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

    mutating func takeChanges(of events: [FileSystemEvent]) throws -> [DirectoryChange] {
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
            case .listingChanged: changes += try relist()
            case .watchedRemoved: isRemoved = true
            case .overflowed: changes.append(.overflowed)
            case .attributesChanged: break
            }
        }
        return changes
    }

    private mutating func relist() throws -> [DirectoryChange] {
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

/// The part of a directory that is watched.
enum DirectoryInterest {
    /// The directory itself: its removal or renaming.
    case itself
    /// The names in the directory, too.
    case names
    /// Writes to its files, too.
    case contents
}

/// An event of a watch on a directory or a file.
struct FileSystemEvent {
    enum Kind {
        case created, modified, closed, attributesChanged, removed, movedFrom, movedTo
        /// The names in the directory have changed; it is not known which.
        case listingChanged
        /// The watched file or directory was removed, moved or unmounted.
        case watchedRemoved
        /// Events were lost.
        case overflowed
    }

    let watch: Int32
    let kind: Kind
    /// The name of the file in the watched directory; empty if the event concerns the watched file or directory itself.
    var name = ""
    /// The number that the two events of one move share.
    var cookie: UInt32 = 0
}
