import Foundation
import Glibc

/// A running `framefast-simcam`.
final class SimulatedCamera {
    let pid: pid_t
    let port: String
    private let scratch: ScratchDirectory
    private let truthPath: String

    init(
        maker: String = "generic", host: String = "127.0.0.1", _ arguments: [String] = [],
        names: [String] = []
    ) throws {
        scratch = try ScratchDirectory()
        truthPath = scratch.file("truth")
        var all = ["--listen", "\(host):0", "--maker", maker, "--truth", truthPath] + arguments
        if !names.isEmpty {
            let path = scratch.file("names")
            try names.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            all += ["--names", path]
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        pid = try BuiltProgram.start("framefast-simcam", all, descriptors: [nil, ends[1], 2])
        close(ends[1])
        defer { close(ends[0]) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        let words = String(decoding: line, as: UTF8.self)
        guard words.hasPrefix("listening on "), let number = words.split(separator: ":").last else {
            throw CameraTrouble(words: "the simulator said: \(words)")
        }
        port = "ptpip:\(host):\(number)"
    }

    deinit {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// Presses the shutter on the camera itself.
    func press() { kill(pid, SIGUSR1) }

    /// Stops the whole program, as a camera that hangs does; `SIGCONT` ends it.
    func freeze() { kill(pid, SIGSTOP) }

    /// What the simulator says about a photo: waits until it has said so.
    func truth(of name: String) throws -> Photo {
        let end = monotonicMs() + 10_000
        while monotonicMs() < end {
            let lines = (try? String(contentsOfFile: truthPath, encoding: .utf8)) ?? ""
            for line in lines.split(separator: "\n") {
                guard let photo = try? JSONDecoder().decode(Photo.self, from: Data(line.utf8)) else {
                    continue
                }
                if photo.name == name { return photo }
            }
            // The simulator writes the line after it has told the client: look again shortly.
            poll(nil, 0, 10)
        }
        throw CameraTrouble(words: "no word about \(name)")
    }

    struct Photo: Decodable {
        var handle: UInt32
        var name: String
        var size: UInt64
        var sha256: String
    }
}

/// A test's own surroundings do not work.
struct CameraTrouble: Error, CustomStringConvertible {
    var words: String
    var description: String { words }
}
