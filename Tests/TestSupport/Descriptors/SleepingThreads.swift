#if os(Linux)
    import Foundation

    /// Tells whether the threads of a process wait, or check again and again. It uses the system's own counts, which a busy machine does
    /// not change.
    public struct SleepingThreads {
        /// The number of times that a thread may wake up in two seconds: Dispatch wakes up for its own threads twice.
        private static let limit = 10

        /// The number of times that each thread has gone to sleep, by its number; -1 for a thread that does not sleep now.
        private let counts: [String: Int]

        private init(of process: pid_t, except own: String?) throws {
            let folder = "/proc/\(process)/task"
            var counts: [String: Int] = [:]
            for thread in try FileManager.default.contentsOfDirectory(atPath: folder) where thread != own {
                let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
                let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:\t") }
                counts[thread] = status.contains("State:\tS") ? line?.split(separator: "\t").last.flatMap { Int($0) } ?? -1 : -1
            }
            self.counts = counts
        }

        /// Returns whether each thread slept then and sleeps now, and has woken up a few times at most: a thread that sleeps again has gone
        /// to sleep once more.
        private func isAtRest(since earlier: SleepingThreads) -> Bool {
            counts.allSatisfy { thread, count in
                guard let before = earlier.counts[thread] else { return false }
                return before >= 0 && count >= 0 && count - before <= Self.limit
            }
        }

        /// Waits until all threads of a process, except the caller, do nothing for two seconds, however late that begins. Returns `false`
        /// if they have not done so within minutes.
        public static func comeToRest(in process: pid_t = getpid()) throws -> Bool {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self").split(separator: "/").last.map(
                String.init)
            for _ in 0..<150 {
                let before = try SleepingThreads(of: process, except: own)
                Thread.sleep(forTimeInterval: 2)
                if try SleepingThreads(of: process, except: own).isAtRest(since: before) { return true }
            }
            return false
        }
    }
#endif
