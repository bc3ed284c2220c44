import FoundationEssentials
import FrameFastAPI

/// The files of one shot that an answer has.
struct ShotFiles {
    let id: ShotID
    let captures: [CaptureReply]

    /// A page by shots, in its order.
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

    /// How far the shot is; how far these files are, where only files of one state were asked for.
    var state: CaptureReply.State {
        let states = Set(captures.map(\.state))
        return states.count == 1 ? states.first ?? .saved : captures.first?.shotState ?? .saved
    }

    var size: Int64 { captures.reduce(0) { $0 + $1.size } }

    /// When its last file was saved, or it was heard of first.
    var date: Date {
        captures.compactMap(\.savedAt).max() ?? captures.map(\.detectedAt).min() ?? .distantPast
    }

    /// The name of the file that came first, and what makes the others different: `a.jpg + cr3`.
    func name(_ of: (CaptureReply) -> String) -> String {
        let files = captures.sorted { $0.id < $1.id }
        guard let first = files.first else { return "" }
        let others = files.dropFirst().map { FileName.kind(of($0)) ?? of($0) }
        return ([of(first)] + others).joined(separator: " + ")
    }
}
