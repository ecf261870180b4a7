import NetNodes

extension URLChain where Stage == Unrouted, Input == Void {
    /// What every request of the program begins with: it says who asks. A header that the user gives takes its place.
    static var ofPulse: Self { URLChain().headers(["User-Agent": "pulse/\(Version.current)"]) }
}
