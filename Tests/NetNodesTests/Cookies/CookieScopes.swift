/// Which hosts get a cookie.
enum CookieScopes {
    static let rows: [CookieRow] = [
        row("the host alone", "a=1", from: "x.org", to: "x.org", isSent: true),
        row("a host below", "a=1", from: "x.org", to: "sub.x.org", isSent: false),
        row("a host in capitals", "a=1", from: "X.ORG", to: "x.org", isSent: true),
        row("a domain", "a=1; Domain=x.org", from: "x.org", to: "sub.x.org", isSent: true),
        row("a domain with a dot", "a=1; Domain=.x.org", from: "sub.x.org", to: "x.org", isSent: true),
        row("a domain in capitals", "a=1; Domain=X.Org", from: "sub.x.org", to: "other.x.org", isSent: true),
        row("the domain above, two levels", "a=1; Domain=x.org", from: "b.c.x.org", to: "d.x.org", isSent: true),
        row("a domain below", "a=1; Domain=sub.x.org", from: "x.org", to: "sub.x.org", isSent: false),
        row("a foreign domain", "a=1; Domain=y.org", from: "x.org", to: "y.org", isSent: false),
        row("a domain that only ends alike", "a=1; Domain=x.org", from: "evilx.org", to: "x.org", isSent: false),
        row("a host that only ends alike", "a=1; Domain=x.org", from: "x.org", to: "evilx.org", isSent: false),
        row("a domain with two dots", "a=1; Domain=..x.org", from: "sub.x.org", to: "x.org", isSent: false),
        row("a domain with a dot at its end", "a=1; Domain=x.org.", from: "sub.x.org", to: "x.org", isSent: false),
        row("no domain", "a=1; Domain=", from: "x.org", to: "x.org", isSent: true),
        row("no domain, a host below", "a=1; Domain=.", from: "x.org", to: "sub.x.org", isSent: false),
        row("the last domain counts", "a=1; Domain=y.org; Domain=x.org", from: "x.org", to: "sub.x.org", isSent: true),
        row("the last domain counts, a foreign one", "a=1; Domain=x.org; Domain=y.org", from: "x.org", to: "x.org", isSent: false),
        row("a domain with a port", "a=1; Domain=x.org:80", from: "x.org", to: "x.org", isSent: false),
        row("a domain beyond ASCII", "a=1; Domain=bücher.org", from: "sub.xn--bcher-kva.org", to: "xn--bcher-kva.org", isSent: true),
        row("a top-level domain", "a=1; Domain=org", from: "x.org", to: "y.org", isSent: false),
        row("a public suffix", "a=1; Domain=co.uk", from: "x.co.uk", to: "y.co.uk", isSent: false),
        row("a private suffix", "a=1; Domain=github.io", from: "x.github.io", to: "y.github.io", isSent: false),
        row("below a public suffix", "a=1; Domain=x.co.uk", from: "b.x.co.uk", to: "c.x.co.uk", isSent: true),
        row("below a wildcard", "a=1; Domain=x.ck", from: "b.x.ck", to: "c.x.ck", isSent: false),
        row("two levels below a wildcard", "a=1; Domain=b.x.ck", from: "c.b.x.ck", to: "d.b.x.ck", isSent: true),
        row("an exception of a wildcard", "a=1; Domain=www.ck", from: "b.www.ck", to: "c.www.ck", isSent: true),
        row("a suffix beyond ASCII", "a=1; Domain=公司.cn", from: "x.xn--55qx5d.cn", to: "y.xn--55qx5d.cn", isSent: false),
        row("a suffix that sets a cookie for itself", "a=1; Domain=github.io", from: "github.io", to: "github.io", isSent: true),
        row("a suffix that sets one for those below", "a=1; Domain=github.io", from: "github.io", to: "x.github.io", isSent: false),
        row("a host of one label", "a=1; Domain=localhost", from: "localhost", to: "localhost", isSent: true),
        row("a host below one label", "a=1; Domain=localhost", from: "localhost", to: "x.localhost", isSent: false),
        row("an address", "a=1; Domain=127.0.0.1", from: "127.0.0.1", to: "127.0.0.1", isSent: true),
        row("the end of an address", "a=1; Domain=0.0.1", from: "127.0.0.1", to: "1.0.0.1", isSent: false),
        row("an address in another notation", "a=1; Domain=0x1", from: "127.0.0x1", to: "0x1", isSent: false),
        row("an address of IPv6", "a=1", from: "[::1]", to: "[::1]", isSent: true),
        row("another address of IPv6", "a=1; Domain=::1", from: "[1::1]", to: "[::1]", isSent: false),
    ]

    private static func row(_ name: String, _ field: String, from: String, to: String, isSent: Bool) -> CookieRow {
        CookieRow(name, [field], from: "http://\(from)/", to: "http://\(to)/", sends: isSent ? "a=1" : "")
    }
}
