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
