import NetNodes

extension URLChain where Stage == Unrouted, Input == Void {
    /// The chain with which every request of the program begins: it tells the server who asks. A header of the user replaces it.
    static var ofPulse: Self { URLChain().headers(["User-Agent": "pulse/\(Version.current)"]) }
}
