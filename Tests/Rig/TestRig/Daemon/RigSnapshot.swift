import APIClient
public import FrameFastAPI

/// The state of a rig at one poll of a wait: status, records, upload jobs and files.
///
/// Each part is read at its first use and then cached. A condition that uses only the status needs one
/// request. A part that the condition didn't use is read afterwards and is therefore never older than the
/// other parts.
public final class RigSnapshot {
    /// The rig of the snapshot.
    let rig: DaemonRig
    private var readStatus: StatusReply?
    private var readRecords: [CaptureReply]?
    private var readJobs: [UploadJobReply]?
    private var readFiles: [String: String]?
    private var readParts: [String]?

    init(_ rig: DaemonRig) { self.rig = rig }

    private func once<Part>(_ part: inout Part?, _ read: () throws -> Part) rethrows -> Part {
        if let part { return part }
        let new = try read()
        part = new
        return new
    }

    /// The service's status.
    public var status: StatusReply { get throws { try once(&readStatus) { try rig.status() } } }

    /// The records of all photos, oldest first.
    public var records: [CaptureReply] { get throws { try once(&readRecords) { try rig.records() } } }

    /// The upload jobs, newest first, at most `UploadsQuery.limitMax`.
    public var jobs: [UploadJobReply] {
        get throws {
            try once(&readJobs) {
                try rig.client.call(\.uploads.list, .init(limit: UploadsQuery.limitMax)).value.jobs
            }
        }
    }

    /// The SHA-256 of each file under a final name, by its path in the capture directory.
    public var files: [String: String] { get throws { try once(&readFiles) { try rig.files() } } }

    /// The SHA-256 of each file under a final name, sorted.
    public var hashes: [String] { get throws { try files.values.sorted() } }

    /// The paths of part files that are growing or left behind.
    public var parts: [String] { once(&readParts) { rig.parts() } }

    /// Whether no transfer is in progress: no part file exists, and each record is saved or damaged.
    public var isSettled: Bool {
        get throws { try parts.isEmpty && records.allSatisfy { $0.savedAt != nil || $0.state == .damaged } }
    }

    /// A short description of the parts that were read, for a failed wait.
    var summary: String {
        var words: [String] = []
        if let readStatus { words.append(DaemonRig.summary(readStatus)) }
        if let readRecords {
            let open = readRecords.filter { $0.savedAt == nil }.prefix(20).map {
                "\($0.cameraName) \($0.originalName): \($0.$state) \($0.problem ?? "")"
            }
            words.append("\(readRecords.count) records, not saved: \(open)")
        }
        if let readJobs { words.append("\(readJobs.count) upload jobs") }
        if let readFiles { words.append("\(readFiles.count) files") }
        if let readParts { words.append("parts: \(readParts)") }
        return words.isEmpty ? "nothing was read" : words.joined(separator: "; ")
    }
}
