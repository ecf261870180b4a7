#if os(Linux)
    import Foundation

    /// Watches files and directories, by inotify.
    ///
    /// Source: [inotify(7)](https://man7.org/linux/man-pages/man7/inotify.7.html).
    final class FileSystemWatch {
        private let descriptor: Descriptor
        private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)

        init() throws {
            let number = inotify_init1(O_CLOEXEC | O_NONBLOCK)
            guard number >= 0 else { throw SystemSourceError("inotify_init") }
            descriptor = Descriptor(owning: number)
        }

        deinit { buffer.deallocate() }

        /// The descriptor, which is ready to read when there are events.
        var number: Int32 { descriptor.number }

        /// Watches a directory and returns the number of the watch. A directory has one watch, however often it is added.
        func addDirectory(_ path: String, for interest: DirectoryInterest) throws -> Int32 {
            var events = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | Int32(bitPattern: UInt32(IN_MASK_ADD))
            if interest != .itself { events |= IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO }
            if interest == .contents { events |= IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE }
            return try add(path, events)
        }

        /// Watches writes to an open file, and not to another file that has meanwhile taken its place at `path`.
        ///
        /// Without `/proc` only the path is available: the watch may then be on the new file, and the watch on the directory reports that.
        func addFile(_ file: Descriptor, at path: String) throws -> Int32 {
            let changes = IN_MODIFY | IN_ATTRIB
            let watch = inotify_add_watch(number, "/proc/self/fd/\(file.number)", UInt32(changes))
            return watch >= 0 ? watch : try add(path, changes)
        }

        func remove(_ watch: Int32) {
            inotify_rm_watch(number, watch)
        }

        /// Returns the events that are available.
        func events() throws -> [FileSystemEvent] {
            var events: [FileSystemEvent] = []
            while case .bytes(let count) = try descriptor.read(into: buffer) {
                append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events)
            }
            return events
        }

        private func add(_ path: String, _ mask: Int32) throws -> Int32 {
            let watch = inotify_add_watch(number, path, UInt32(mask))
            guard watch >= 0 else { throw SystemSourceError("inotify_add_watch", path: path) }
            return watch
        }

        private func append(_ bytes: UnsafeRawBufferPointer, to events: inout [FileSystemEvent]) {
            var offset = 0
            while offset < bytes.count {
                let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + MemoryLayout<inotify_event>.size
                let name = bytes[start..<(start + Int(header.len))].prefix { $0 != 0 }
                offset = start + Int(header.len)
                guard let kind = Self.kind(Int32(bitPattern: header.mask)) else { continue }
                events.append(
                    FileSystemEvent(watch: header.wd, kind: kind, name: String(decoding: name, as: UTF8.self), cookie: header.cookie))
            }
        }

        private static let kinds: [(Int32, FileSystemEvent.Kind)] = [
            (IN_Q_OVERFLOW, .overflowed), (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT, .watchedRemoved), (IN_CREATE, .created),
            (IN_DELETE, .removed), (IN_MOVED_FROM, .movedFrom), (IN_MOVED_TO, .movedTo), (IN_MODIFY, .modified),
            (IN_CLOSE_WRITE, .closed), (IN_ATTRIB, .attributesChanged),
        ]

        private static func kind(_ mask: Int32) -> FileSystemEvent.Kind? {
            kinds.first { mask & $0.0 != 0 }?.1
        }
    }
#endif
