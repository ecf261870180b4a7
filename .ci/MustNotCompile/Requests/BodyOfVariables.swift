// A variable is a member of a JSON literal.
// error: cannot convert value of type 'String' to expected dictionary value type 'JSON'
import NetNodes

private func example(_ name: String) {
    #if MISTAKE
        let user: JSON = ["name": name]
    #else
        let user: JSON = ["name": JSON(name)]
    #endif
}
