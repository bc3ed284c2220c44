import Foundation
import Glibc
import TestRig

/// The programs in the build folder of this test bundle.
enum BuiltProgram {
    /// Returns the path of a product, for example `framefast-camera`.
    static func path(_ name: String) -> String {
        let me = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        return URL(fileURLWithPath: me).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Starts a program with the given descriptors as 0, 1 and 2. `nil` means /dev/null.
    static func start(
        _ name: String, _ arguments: [String] = [], environment: [String: String] = [:], descriptors: [Int32?]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            }
        }
        // A child process that inherits pipes and sockets of other tests would keep them open.
        for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        let wrapper = name == "framefast-simcam" ? CameraPriority.wrapper : []
        let line = wrapper + [path(name)] + arguments
        var words = line.map { strdup($0) } + [nil]
        let inherited = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var settings = inherited.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + settings { free(word) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, line[0], &actions, nil, &words, &settings)
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
        return pid
    }
}

/// A directory for one test, deleted with this object.
final class ScratchDirectory {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/framefast-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}

/// The default maximum wait for an event, in seconds.
let waitSecondsMax = 60

/// Waits until a descriptor has input or is at end of file.
///
/// - Parameter what: The awaited input, for the error text.
/// - Throws: ``CameraTestError`` after a minute.
func waitForInput(on descriptor: Int32, _ what: String) throws {
    let end = monotonicMs() + waitSecondsMax * 1_000
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat {
        count = poll(&entry, 1, Int32(max(0, end - monotonicMs())))
    } while count < 0 && errno == EINTR
    guard count > 0 else { throw CameraTestError(words: "waited \(waitSecondsMax) s for \(what)") }
}

/// Returns the time of the monotonic clock, in milliseconds.
func monotonicMs() -> Int { monotonicNs() / 1_000_000 }

/// Returns the time of the monotonic clock, in nanoseconds.
func monotonicNs() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
}
