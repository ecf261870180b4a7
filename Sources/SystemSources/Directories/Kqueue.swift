#if canImport(Darwin)
    import Foundation

    /// Watches files and directories by kqueue, which reports that the names in a directory have changed, but not which.
    ///
    /// Source: [kqueue(2)](https://man.freebsd.org/cgi/man.cgi?kqueue).
    final class FileSystemWatch {
        private let descriptor: Descriptor
        /// The open files that are watched, by the numbers of their watches, which are their descriptors.
        private var watched: [Int32: Descriptor] = [:]

        init() throws {
            let number = kqueue()
            guard number >= 0 else { throw SystemSourceError("kqueue") }
            descriptor = Descriptor(owning: number)
        }

        /// The descriptor, which is ready to read when there are events.
        var number: Int32 { descriptor.number }

        /// Watches a directory and returns the number of the watch. A directory has one watch, however often it is added.
        func addDirectory(_ path: String, for interest: DirectoryInterest) throws -> Int32 {
            let number = open(path, O_EVTONLY | O_CLOEXEC | O_DIRECTORY)
            guard number >= 0 else { throw SystemSourceError("open", path: path) }
            let opened = Descriptor(owning: number)
            let status = try opened.status(of: path)
            let known = watched.values.first { descriptor in
                guard let other = try? descriptor.status(of: path) else { return false }
                return other.st_dev == status.st_dev && other.st_ino == status.st_ino
            }
            return try add(known ?? opened, path, NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE)
        }

        /// Watches writes to an open file, and not to another file that has meanwhile taken its place at `path`.
        func addFile(_ file: Descriptor, at path: String) throws -> Int32 {
            let copy = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw SystemSourceError("fcntl", path: path) }
            return try add(Descriptor(owning: copy), path, NOTE_WRITE | NOTE_EXTEND | NOTE_ATTRIB)
        }

        func remove(_ watch: Int32) {
            watched[watch] = nil
        }

        /// Returns the events that are available.
        func events() throws -> [FileSystemEvent] {
            var events: [FileSystemEvent] = []
            var event = kevent()
            var immediately = timespec()
            while kevent(number, nil, 0, &event, 1, &immediately) > 0 {
                let isRemoved = Int32(event.fflags) & (NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) != 0
                events.append(FileSystemEvent(watch: Int32(event.ident), kind: isRemoved ? .watchedRemoved : .listingChanged))
            }
            return events
        }

        private func add(_ file: Descriptor, _ path: String, _ changes: Int32) throws -> Int32 {
            var event = kevent(
                ident: UInt(file.number), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: UInt32(changes), data: 0,
                udata: nil)
            guard kevent(number, &event, 1, nil, 0, nil) == 0 else { throw SystemSourceError("kevent", path: path) }
            watched[file.number] = file
            return file.number
        }
    }
#endif
