import FrameFastSystem
import SystemPackage

@testable import CaptureEngine

/// A disk that refuses to take one of the two things that make a photo durable.
enum RefusingDisk: String, CaseIterable, Sendable {
    case bytes, name

    /// Refuses by an I/O error, as a failing disk does.
    var sync: DiskSync {
        let refuse: DiskSync.Force = { path throws(SystemCallError) in
            throw SystemCallError(call: "fsync", subject: path, errno: .ioError)
        }
        return switch self {
        case .bytes: DiskSync(file: refuse)
        case .name: DiskSync(folder: refuse)
        }
    }
}
