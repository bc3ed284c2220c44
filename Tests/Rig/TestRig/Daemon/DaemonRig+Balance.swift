import Foundation
import FrameFastAPI

extension DaemonRig {
    /// What does not agree between camera, disk and ledger: each photo must stand under one final name, with the
    /// camera's bytes, and have one record that says so.
    ///
    /// - Parameter shots: What the camera took.
    /// - Returns: sentences; empty when all is well.
    public func discrepancies(with shots: [Simulator.Shot]) throws -> [String] {
        let files = try files()
        let records = try records()
        var found = Self.difference("on disk", Array(files.values), shots.map(\.sha256))
        found += Self.difference("in the ledger", records.map { $0.sha256 ?? "none" }, shots.map(\.sha256))
        for record in records where record.savedAt == nil {
            found.append("photo \(record.id) (\(record.originalName)) is \(record.state.rawValue)")
        }
        for record in records {
            guard let path = record.path, path.hasPrefix(captures + "/") else { continue }
            let file = files[String(path.dropFirst(captures.count + 1))]
            if file != record.sha256 {
                found.append("the record of \(path) does not fit the file (\(file ?? "none"))")
            }
        }
        found += parts().map { "left behind: \($0)" }
        found += errorsInLog.map { "in the log: \($0)" }
        return found
    }

    private static func difference(_ place: String, _ there: [String], _ wanted: [String]) -> [String] {
        var counts: [String: Int] = [:]
        for hash in wanted { counts[hash, default: 0] += 1 }
        for hash in there { counts[hash, default: 0] -= 1 }
        let missing = counts.values.filter { $0 > 0 }.reduce(0, +)
        let surplus = -counts.values.filter { $0 < 0 }.reduce(0, +)
        guard missing > 0 || surplus > 0 else { return [] }
        return ["\(place): \(missing) of \(wanted.count) photos missing, \(surplus) surplus"]
    }
}
