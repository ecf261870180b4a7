import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Secret names", .onOneThread, .countsResources)
struct SecretNamesTests {
    static let secret = [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Session-Id", "X-Auth-Key", "X-Auth", "X-Signature",
        "X-Credential", "Key", "X-Jwt", "Ocp-Apim-Subscription-Key", "X-CSRF-Token", "X-Amz-Security-Token", "Private-Token", "DPoP",
        "refresh_tokens", "accessToken", "credentials", "clientSecret", "user[password]", "PHPSESSID", "JSESSIONID", "API_KEY", "apikey",
        "SSHKey", "code_verifier", "client_assertion", "pin", "sig", "key1", "api_key2", "PIN4", "totp_6", "pass1", "authkey", "dbpass",
        "userpwd", "md5key",
        "passw0rd",
    ]

    @Test(arguments: secret) func `Names of credentials are secret in any notation`(name: String) {
        for written in [name, name.uppercased(), name.lowercased()] where name != "SSHKey" || written == name {
            #expect(SecretNames.contains(written), "\(written)")
        }
    }

    @Test(
        arguments: [
            "Accept", "Content-Type", "monkey", "author", "WWW-Authenticate", "keyboard", "ETag", "Passage", "pinned", "name", "", "-",
            "monkeys", "hotkey", "bypass",
            "Compass1", "keyboard2", "page1",
        ])
    func `What only looks like one is not`(name: String) {
        #expect(!SecretNames.contains(name))
    }

    /// Header fields of the registry and of common servers and clients, each with what its value is.
    @Test(
        arguments: [
            ("Authorization", true), ("Proxy-Authorization", true), ("Authentication-Info", true), ("Proxy-Authentication-Info", true),
            ("WWW-Authenticate", false), ("Proxy-Authenticate", false), ("Optional-WWW-Authenticate", false),
            ("Authentication-Control", false), ("Concealed-Auth-Export", true), ("DPoP", true), ("DPoP-Nonce", false),
            ("Cookie", true), ("Cookie2", true), ("Set-Cookie", true), ("Set-Cookie2", true), ("Clear-Site-Data", false),
            ("Access-Control-Allow-Credentials", false), ("Access-Control-Allow-Headers", false), ("Access-Control-Allow-Methods", false),
            ("Access-Control-Allow-Origin", false), ("Access-Control-Expose-Headers", false), ("Access-Control-Max-Age", false),
            ("Access-Control-Request-Headers", false), ("Access-Control-Request-Method", false),
            ("Signature", true), ("Signature-Input", false), ("Accept-Signature", false), ("Content-Digest", false),
            ("Sec-WebSocket-Key", false), ("Sec-WebSocket-Accept", false), ("Sec-WebSocket-Protocol", false), ("Sec-Fetch-Site", false),
            ("Sec-CH-UA", false), ("Sec-GPC", false), ("Sec-Purpose", false), ("Sec-Token-Binding", true), ("Sec-Session-Id", true),
            ("Sec-Session-Response", true), ("Sec-Private-State-Token", true), ("Include-Referred-Token-Binding-ID", false),
            ("Public-Key-Pins", false), ("Public-Key-Pins-Report-Only", false), ("Strict-Transport-Security", false),
            ("Content-Security-Policy", false), ("Permissions-Policy", false), ("Cross-Origin-Opener-Policy", false),
            ("Origin-Agent-Cluster", false), ("Lock-Token", true), ("Idempotency-Key", false), ("Surrogate-Key", false),
            ("Surrogate-Control", false), ("Replay-Nonce", false), ("Keep-Alive", false), ("Security-Scheme", false),
            ("Client-Cert", false),
            ("Proxy-Status", false), ("Proxy-Connection", false), ("Cache-Control", false), ("Vary", false), ("ETag", false),
            ("If-Match", false),
            ("Last-Event-ID", false), ("Retry-After", false), ("Location", false), ("Referer", false), ("User-Agent", false),
            ("Host", false),
            ("Forwarded", false), ("X-Forwarded-For", false), ("X-Frame-Options", false), ("X-Content-Type-Options", false),
            ("X-XSS-Protection", false), ("X-Request-ID", false), ("X-Correlation-ID", false), ("X-Powered-By", false),
            ("X-RateLimit-Remaining", false), ("X-Api-Key", true), ("X-Auth-Token", true), ("X-CSRF-Token", true), ("X-XSRF-TOKEN", true),
            ("X-Amz-Security-Token", true), ("X-Amz-Credential", true), ("X-Amz-Signature", true), ("X-Goog-Api-Key", true),
            ("X-Amz-Server-Side-Encryption-Customer-Key", true), ("X-Vault-Token", true), ("X-GitHub-OTP", true), ("Private-Token", true),
            ("X-Hub-Signature-256", true), ("Stripe-Signature", true), ("CF-Access-Client-Secret", true), ("CF-Access-Jwt-Assertion", true),
            ("X-Shopify-Access-Token", true), ("X-Functions-Key", true), ("Ocp-Apim-Subscription-Key", true), ("X-Session-Token", true),
        ])
    func `Of the well-known header fields those are secret whose value authenticates`(name: String, isSecret: Bool) {
        for written in [name, name.lowercased(), name.uppercased(), name.replacing("-", with: "_")] {
            #expect(SecretNames.contains(written) == isSecret, "\(written)")
        }
        let value = "v4lue0000"
        #expect(HTTPHeaders([.init(name: name, value: value)]).description.contains(value) == !isSecret)
    }

    @Test func `A list of permissions is shown, and a word of a harmless name in another one is secret`() {
        let policy: HTTPHeaders = ["Permissions-Policy": "publickey-credentials-get=(self), otp-credentials=()"]
        #expect(policy.description.contains("publickey-credentials-get=(self), otp-credentials=()"))
        #expect(SecretNames.contains("X-Access-Control-Allow-Credentials-Key") && SecretNames.contains("Credentials"))
    }

    @Test func `An added name is secret in headers, bodies, URLs, redirects and cache keys`() throws {
        #expect(!SecretNames.contains("x_quarry_stone"))
        SecretNames.add("X-Quarry-Stone", "")
        for name in ["x-quarry-stone", "X_QUARRY_STONE", "xQuarryStone"] { #expect(SecretNames.contains(name)) }
        #expect(!SecretNames.contains("quarry"))
        let url = try "http://h/a?xQuarryStone=gr4nite0".url()
        let body = Data("{\"x_quarry_stone\": \"m4rble00\"}".utf8)
        let request = HTTPRequest(.post, url, headers: ["X-Quarry-Stone": "b4salt00"], body: .data(body))
        for word in ["gr4nite0", "m4rble00", "b4salt00"] { #expect(!request.curl.contains(word)) }
        let next = try Redirect.next(after: request, status: 302, headers: ["Location": "http://other/"], count: 0)
        #expect(next?.headers.isEmpty == true)
        #expect(CachedResponse.Key(HTTPRequest(.get, url, headers: ["X-Quarry-Stone": "1"])) != CachedResponse.Key(HTTPRequest(.get, url)))
    }

    @Test(arguments: secret)
    func `A header that is redacted is never sent to another origin and is part of cache keys`(name: String) throws {
        guard name.utf8.allSatisfy(isTokenByte) else { return }
        let url = try "http://example.com/a".url()
        let request = HTTPRequest(.get, url, headers: [name: "s3cr3tvalue"])
        #expect(!request.curl.contains("s3cr3tvalue"))
        #expect(!"\(request)".contains("s3cr3tvalue"))
        let away = try Redirect.next(after: request, status: 302, headers: ["Location": "https://example.com/a"], count: 0)
        #expect(away?.headers.isEmpty == true)
        #expect(CachedResponse.Key(request) != CachedResponse.Key(HTTPRequest(.get, url)))
        #expect(
            CachedResponse.Key(request, varying: []) != CachedResponse.Key(HTTPRequest(.get, url, headers: [name: "other"]), varying: []))
    }

    @Test func `A secret in the value of a harmless header counts as well`() throws {
        let url = try "http://example.com/a".url()
        for value in ["http://bob:s3cr3tvalue@h/", "http://h/?access_token=s3cr3tvalue", "Bearer s3cr3tvalue"] {
            let request = HTTPRequest(.get, url, headers: ["Referer": value])
            #expect(!request.curl.contains("s3cr3tvalue"))
            #expect(!"\(request.headers)".contains("s3cr3tvalue"))
            let away = try Redirect.next(after: request, status: 302, headers: ["Location": "http://other/"], count: 0)
            #expect(away?.headers.isEmpty == true)
            #expect(CachedResponse.Key(request) != CachedResponse.Key(HTTPRequest(.get, url)))
        }
    }

    @Test func `The descriptions of requests, responses, headers and failures are redacted`() throws {
        let url = try "http://bob:s3cr3t00@h/a?token=s3cr3t00".url()
        let headers: HTTPHeaders = ["Authorization": "s3cr3t00", "Set-Cookie": "id=s3cr3t00", "Accept": "a/b\u{1B}[2J"]
        let request = HTTPRequest(.get, url, headers: headers, body: .data(Data("s3cr3t00".utf8)))
        let head = HTTPResponse.Head(status: 401, headers: headers, url: url)
        let response = HTTPResponse(head: head, body: Data("{\"token\": \"s3cr3t00\"}".utf8))
        let error = try #require(HTTPError(response))
        let values: [Any] = [
            request, headers, headers[0], head, response, error, error.failure, error.localizedDescription, [request], ["a": head],
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("s3cr3t00"), "\(text)")
                #expect(!text.contains("\u{1B}"))
            }
        }
        #expect("\(headers)".contains("Accept: a/b"))
    }
}
