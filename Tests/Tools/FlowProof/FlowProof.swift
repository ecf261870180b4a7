import Foundation

// Tests/Tools/run FlowProof program [SECONDS]    an endless program waits for a loop that takes ten lines a second
// Tests/Tools/run FlowProof file [GIGABYTES]     a large file is read as fast as its lines are handled
// Tests/Tools/run FlowProof response [SECONDS]   a slow reader slows the server
@main
struct FlowProof {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let number = arguments.dropFirst().first.flatMap { Int($0) }
        do {
            switch arguments.first {
            case "program": try await ProgramProof(seconds: number ?? 5).run()
            case "file": try await FileProof(gigabytes: number ?? 4).run()
            case "response": try await proveResponse(seconds: Double(number ?? 5))
            default:
                print("usage: FlowProof program [SECONDS] | file [GIGABYTES] | response [SECONDS]")
                exit(2)
            }
        } catch {
            print("it was not shown: \(error)")
            exit(1)
        }
    }
}

/// A claim that a proof has not shown.
struct Unproven: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static func unless(_ condition: Bool, _ description: String) throws {
        if !condition { throw Unproven(description) }
    }
}
