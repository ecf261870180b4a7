import Foundation

/// The way by which the system finds a file: the names that it looks up, including those in links.
struct PathResolution {
    /// A folder on the way.
    struct Folder {
        /// The path of the folder, without links.
        let path: String
        /// Whether names in the folder decide where the way leads: one is a link, the file, or missing. A folder without such names matters
        /// only when it is removed or renamed itself.
        let hasNames: Bool
    }

    private struct Lookup {
        let folder: String
        let path: String
        let entry: Entry
    }

    private enum Entry: Equatable {
        case link(to: String), other, missing

        init(at path: String) {
            let target = withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer -> String? in
                guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return nil }
                let count = readlink(path, start, buffer.count)
                return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            // Any other failure here makes opening the file fail as well, with a typed error.
            if let target { self = .link(to: target) } else { self = errno == ENOENT ? .missing : .other }
        }
    }

    /// The number of links that Linux follows.
    private static let maximumLinks = 40

    private var lookups: [Lookup] = []
    /// The folder that the path names, without links; `nil` if the way does not lead there.
    private(set) var home: String?

    init(to path: String) throws(SystemSourceError) {
        var names = Self.names(in: path)
        var folder = path.hasPrefix("/") ? "/" : "."
        var links = 0
        while let name = names.popLast() {
            if names.isEmpty, home == nil { home = folder }
            guard name != ".." else {
                folder = Self.parent(of: folder)
                continue
            }
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            let entry = Entry(at: path)
            lookups.append(Lookup(folder: folder, path: path, entry: entry))
            switch entry {
            case .other: folder = path
            case .missing: return
            case .link(let target):
                links += 1
                guard links <= Self.maximumLinks else { throw SystemSourceError("open", path: path, code: ELOOP) }
                if target.hasPrefix("/") { folder = "/" }
                names += Self.names(in: target)
            }
        }
    }

    /// Whether each name on the way still leads to the same entry.
    var isCurrent: Bool { lookups.allSatisfy { Entry(at: $0.path) == $0.entry } }

    /// The path of the last name on the way, if that name does not exist.
    var missing: String? { lookups.last.flatMap { $0.entry == .missing ? $0.path : nil } }

    func hasLink(at path: String) -> Bool {
        lookups.contains { lookup in
            guard lookup.path == path, case .link = lookup.entry else { return false }
            return true
        }
    }

    /// The folders on the way. An open file delays the notification that its folder was removed; the folder above reports it at once.
    var folders: [Folder] {
        guard let last = lookups.last else { return [] }
        return lookups.dropLast().map { Folder(path: $0.folder, hasNames: $0.entry != .other) }
            + [Folder(path: Self.parent(of: last.folder), hasNames: true), Folder(path: last.folder, hasNames: true)]
    }

    /// Returns the names in a path, the first one at the end.
    private static func names(in path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).compactMap(Substring.init).reversed().filter { $0 != "." }.map(String.init)
    }

    /// Returns the folder above a folder whose path has no links.
    private static func parent(of folder: String) -> String {
        guard folder != "/" else { return folder }
        guard folder != ".", !folder.hasSuffix("/..") else { return folder + "/.." }
        let parent = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
        return parent.isEmpty ? "/" : String(parent)
    }
}
