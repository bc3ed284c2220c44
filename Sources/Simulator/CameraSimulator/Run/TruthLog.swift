import Crypto
import Dispatch
import Glibc
import SystemIO

/// A log with the name and hash of each file, one line of JSON per file. Tests compare the log with the saved
/// files.
///
/// A background queue computes the hashes, because hashing would slow down a burst.
final class TruthLog: Sendable {
    private let path: String
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "truth")
    private let onFailure: @Sendable (SimulatorError) -> Void

    /// - Parameter onFailure: Called for each line that cannot be written.
    init(
        path: String, onFailure: @escaping @Sendable (SimulatorError) -> Void = { $0.report() }
    ) throws(SimulatorError) {
        self.path = path
        self.onFailure = onFailure
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    func append(_ photos: [TakenPhoto]) {
        queue.async { [self] in
            for photo in photos {
                let line = Self.line(photo.object, folder: photo.folder, lamp: photo.lamp) + "\n"
                do throws(SystemCallFailure) { try IO.writeAll(Array(line.utf8), to: descriptor) } catch {
                    onFailure(.file(path: path, reason: "\(error)"))
                }
            }
        }
    }

    /// Waits until all lines are in the file.
    func flush() { queue.sync {} }

    static func line(_ object: CardObject, folder: String, lamp: CameraLamp? = nil) -> String {
        let lampText = lamp.map { ",\"lamp\":\"\($0.rawValue)\"" } ?? ""
        return
            """
            {"shot":\(object.shot),"handle":\(object.handle),"folder":\(CameraText(folder).json),\
            "name":\(object.name.json),"size":\(object.bytes.count),"sha256":"\(sha256(object.bytes))",\
            "captured":"\(object.time.iso)","host_ms":\(object.time.hostMs)\(lampText)}
            """
    }

    static func sha256(_ rope: ByteRope) -> String {
        var hash = SHA256()
        rope.forEachPiece { hash.update(bufferPointer: $0) }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
