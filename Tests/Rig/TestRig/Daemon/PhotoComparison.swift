import FrameFastAPI

/// The differences between the photos that cameras took and the photos that a rig has.
struct PhotoComparison {
    /// The prefix of each sentence about a lost, duplicated or wrong photo. A test run never tolerates such a
    /// failure.
    static let tag = "[loss] "
    /// The maximum number of sentences in a report.
    private static let reportMax = 20

    /// Missing photos, and unfinished files and records. Waiting may resolve them.
    private var unfinished: [String] = []
    /// Duplicated, foreign and wrong photos, and errors in the log. Waiting doesn't resolve them.
    private var wrong: [String] = []

    /// Whether the result is final.
    var isFinal: Bool { !wrong.isEmpty || unfinished.isEmpty }

    /// The differences, as sentences with the tag; empty if all photos match.
    var differences: [String] {
        (wrong.sorted() + unfinished.sorted()).prefix(Self.reportMax).map { Self.tag + $0 }
    }

    /// Compares names, sizes and bytes: each photo must have one record and one file, and nothing else may
    /// exist.
    init(_ snapshot: RigSnapshot, with truth: [Simulator.Shot], damaged: Int) throws {
        let saved = try snapshot.records.filter { $0.savedAt != nil }
        count(
            "in the ledger", saved.map { "\($0.originalName) \($0.size) \($0.sha256 ?? "")" },
            of: truth.map { "\($0.name) \($0.size) \($0.sha256)" })
        try checkRest(snapshot, damaged: damaged)
        // The photos are not complete in any case, and hashing all files takes long.
        guard isFinal else { return }
        let files = try snapshot.files
        count("on disk", Array(files.values), of: truth.map(\.sha256))
        let paths = Dictionary(saved.map { (snapshot.rig.relative($0.path ?? ""), $0.sha256 ?? "") }) {
            first, _ in first
        }
        if paths.count != saved.count { wrong.append("\(saved.count) records have \(paths.count) paths") }
        for (path, hash) in paths where files[path] != hash {
            wrong.append("the file of the record \(path) is \(files[path] ?? "missing")")
        }
        let taken = Set(truth.map(\.sha256))
        for (path, hash) in files where paths[path] == nil {
            // A photo is renamed shortly before its record is saved.
            let sentence = "file without a record: \(path)"
            if taken.contains(hash) { unfinished.append(sentence) } else { wrong.append(sentence) }
        }
    }

    /// Compares only bytes: each photo must have one record and one file with any name.
    init(_ snapshot: RigSnapshot, withHashes taken: [String]) throws {
        let records = try snapshot.records.filter { $0.savedAt != nil }
        count("in the ledger", records.map { $0.sha256 ?? "no hash" }, of: taken)
        try checkRest(snapshot, damaged: 0)
        guard isFinal else { return }
        count("on disk", try Array(snapshot.files.values), of: taken)
    }

    private mutating func count(_ place: String, _ found: [String], of wanted: [String]) {
        var surplus: [String: Int] = [:]
        for photo in found { surplus[photo, default: 0] += 1 }
        for photo in wanted { surplus[photo, default: 0] -= 1 }
        for (photo, number) in surplus where number > 0 {
            wrong.append("\(place), \(number) too many: \(photo)")
        }
        let missing = surplus.filter { $0.value < 0 }.keys.sorted()
        if !missing.isEmpty {
            unfinished.append("\(place): \(missing.count) of \(wanted.count) photos missing: \(missing)")
        }
    }

    private mutating func checkRest(_ snapshot: RigSnapshot, damaged: Int) throws {
        for record in try snapshot.records where record.savedAt == nil && record.state != .damaged {
            unfinished.append("photo \(record.id) (\(record.originalName)) is \(record.$state)")
        }
        // A damaged photo may be replaced when it is read again.
        let found = try snapshot.records.count { $0.state == .damaged }
        if found != damaged { unfinished.append("\(found) damaged records, \(damaged) expected") }
        unfinished += snapshot.parts.map { "left behind: \($0)" }
        wrong += snapshot.rig.errorsInLog.map { "in the log: \($0)" }
    }
}
