import FrameFastSystem
import SystemPackage

@testable import CaptureEngine

/// A disk that refuses one of the two syncs that make a photo durable.
enum RefusingDisk: String, CaseIterable, Sendable {
    case bytes, name

    /// The sync functions of this disk. The refused sync throws an I/O error.
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
