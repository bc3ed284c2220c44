import Foundation
import FrameFastSystem

/// The `.part` files: photos that are growing. Each carries the photo's number in the ledger.
struct PartFiles: Sendable {
    let folder: String
    /// Tells this run's files from those of a run that was killed and whose worker may still be dying.
    let run: String

    init(folder: String) {
        self.folder = folder
        run = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }

    /// Where photo `id` grows in this run.
    func path(_ id: Int64) -> String { "\(folder)/\(id)-\(run).part" }

    /// All files in the folder, by the number of their photo; files of no photo have `nil`.
    func all() throws -> [(id: Int64?, path: String)] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
            (name.split(separator: "-").first.flatMap { Int64($0) }, "\(folder)/\(name)")
        }
    }
}
