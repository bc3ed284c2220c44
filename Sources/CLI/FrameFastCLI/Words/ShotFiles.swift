import FoundationEssentials
import FrameFastAPI

/// The files of one shot in a reply of the daemon.
struct ShotFiles {
    let id: ShotID
    let captures: [CaptureReply]

    /// Groups the files of a page by shot, in the order of the page.
    static func of(_ captures: [CaptureReply]) -> [ShotFiles] {
        var shots: [ShotFiles] = []
        for capture in captures {
            if let last = shots.last, last.id == capture.shotID {
                shots[shots.count - 1] = ShotFiles(id: last.id, captures: last.captures + [capture])
            } else {
                shots.append(ShotFiles(id: capture.shotID, captures: [capture]))
            }
        }
        return shots
    }

    /// The state of the files if all files have the same state. Otherwise, the state of the shot.
    var state: Word<CaptureState> {
        let states = Set(captures.map { $0.$state })
        if states.count == 1, let state = states.first { return state }
        return captures.first?.$shotState ?? Word(.saved)
    }

    var size: Int64 { captures.reduce(0) { $0 + $1.size } }

    /// The time when the last file was saved, or when the first file was detected if no file is saved.
    var date: Date {
        captures.compactMap(\.savedAt).max() ?? captures.map(\.detectedAt).min() ?? .distantPast
    }

    /// Returns the name of the first file and the extensions of the others, for example `a.jpg + cr3`.
    func name(_ of: (CaptureReply) -> String) -> String {
        let files = captures.sorted { $0.id < $1.id }
        guard let first = files.first else { return "" }
        let others = files.dropFirst().map { FileName.kind(of($0)) ?? of($0) }
        return ([of(first)] + others).joined(separator: " + ")
    }
}
