import Foundation
import StreamsInspector

/// The reason why a process cannot be inspected.
enum InspectFailure: Error, Equatable {
    /// No process of this user can be inspected.
    case nothing
    case noSuchProcess(Int32)
    case notInspectable(Int32)
    /// The process or the socket belongs to another user.
    case otherUsers(String)
    case noSocket(String)
    /// Nothing accepts connections at the socket.
    case unreachable(String)
    case malformed(String)
    /// The error that the process reports.
    case refused(String)
    case silent(Duration)
}

extension InspectFailure: CustomStringConvertible {
    /// The way to let a process be inspected.
    static let hint = "start it with STREAMS_INSPECT=1, or let it call Inspector.start(); a release build also needs the trait Inspector"

    var description: String {
        switch self {
        case .nothing: "no process of this user can be inspected: \(Self.hint)"
        case .noSuchProcess(let process): "there is no process \(process)"
        case .notInspectable(let process): "process \(process) cannot be inspected: \(Self.hint)"
        case .otherUsers(let name): "\(name) belongs to another user, and only its own user can inspect a process"
        case .noSocket(let path): "\(path) is not a socket"
        case .unreachable(let path): "nothing answers at \(path): the process has ended"
        case .malformed(let reason): "the answer is no snapshot: \(reason)"
        case .refused(let reason): "the process answers: \(reason)"
        case .silent(let time): "the process has not answered for \(Wording.seconds(time)): it may be stopped, or be no inspector"
        }
    }

    /// The description without the address, for a place where the address is known.
    var cause: String {
        if case .unreachable = self { "the process has ended" } else { description }
    }

    var exitCode: Int32 {
        switch self {
        case .nothing, .noSuchProcess, .notInspectable, .otherUsers, .noSocket, .unreachable: ExitCode.noConnection
        case .malformed, .refused: ExitCode.malformedResponse
        case .silent: ExitCode.timeout
        }
    }
}
