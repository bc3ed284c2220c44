import TestRig

@testable import UploadDestinations
@testable import UploadEngine

/// Servers on which one request after the transfer fails. There is one server for each kind, step and failing
/// response.
enum NastySteps {
    typealias Case = LoopbackServerTests.NastyServerTests.Case

    /// A request that follows the transfer of a photo.
    struct Step {
        /// The optional feature that the request uses, or `nil` if uploads of this kind require the request.
        var feature: DestinationFeature?
        var title: String
        var rule: ServerFaultRule
        /// The statuses with which the request fails, one for each case.
        var answers: [Int]
        /// Whether to also test a closed connection.
        var drops = true
        /// Whether SFTP reads each photo back.
        var readsBack = false
    }

    /// The features that uploads use after the transfer.
    static let features: Set<DestinationFeature> = [
        .rename, .sync, .modificationTime, .size, .fileTime, .serverChecksum, .readBack,
    ]

    /// The features whose requests are part of a kind's transfer.
    static let exempt: [NastyServer.Kind: Set<DestinationFeature>] = [
        // The time is a header of the PUT.
        .webDAV: [.modificationTime]
    ]

    /// The temporary name of a photo. The trial files have other names.
    private static let partName = "framefast-[0-9a-f]{16}-"
    /// The final name of a photo.
    private static let finalName = #"IMG_[^/]*\.JPG$"#

    static func steps(_ kind: NastyServer.Kind) -> [Step] {
        let answers = NastyFeatures.answers(kind)
        func step(
            _ feature: DestinationFeature?, _ title: String, _ rule: ServerFaultRule, only: [Int]? = nil
        ) -> Step { Step(feature: feature, title: title, rule: rule, answers: only ?? answers) }
        switch kind {
        case .webDAV:
            return [
                step(.rename, "rename", ServerFaultRule("MOVE", name: partName, first: 1, answer: 0)),
                step(
                    .size, "size", ServerFaultRule("HEAD", "PROPFIND", name: finalName, first: 2, answer: 0)),
                step(.readBack, "reading back", ServerFaultRule("GET", name: partName, first: 1, answer: 0)),
            ]
        case .http:
            return [
                // The first HEAD comes before the transfer.
                step(
                    .size, "size",
                    ServerFaultRule("HEAD", name: finalName, first: 1, after: 1, answer: 0).forEachName),
                step(.readBack, "reading back", ServerFaultRule("GET", name: finalName, first: 1, answer: 0)),
            ]
        case .s3:
            return [
                step(
                    nil, "completion",
                    ServerFaultRule("POST", header: "^Content-Type: application/xml", first: 1, answer: 0)),
                step(
                    .size, "size",
                    ServerFaultRule("HEAD", name: finalName, first: 1, after: 1, answer: 0).forEachName),
            ]
        case .ftp:
            return [
                step(.rename, "rename", ServerFaultRule("RNFR", name: partName, first: 1, answer: 0)),
                step(.rename, "new name", ServerFaultRule("RNTO", name: finalName, first: 1, answer: 0)),
                step(
                    .modificationTime, "time", ServerFaultRule("MFMT", name: finalName, first: 1, answer: 0)),
                step(.size, "size", ServerFaultRule("SIZE", name: partName, first: 1, answer: 0)),
                step(
                    .size, "size under the new name",
                    ServerFaultRule("SIZE", name: finalName, first: 1, after: 1, answer: 0).forEachName),
                step(
                    .fileTime, "time of the part",
                    ServerFaultRule("MDTM", name: partName, first: 1, answer: 0)),
                step(
                    .serverChecksum, "checksum",
                    ServerFaultRule("XSHA256", name: partName, first: 1, answer: 0)),
                step(.readBack, "reading back", ServerFaultRule("RETR", name: partName, first: 1, answer: 0)),
            ]
        case .sftp:
            // The trial sends one fsync and sets one time. Status 4 for fsync means a failed disk. See
            // ``diskFailure``.
            var readBack = step(
                .readBack, "reading back", ServerFaultRule("open-read", name: partName, first: 1, answer: 0))
            readBack.readsBack = true
            return [
                step(.sync, "fsync", ServerFaultRule("fsync", first: 1, after: 1, answer: 0), only: [3, 8]),
                step(.modificationTime, "time", ServerFaultRule("setstat", first: 1, after: 1, answer: 0)),
                step(.size, "size", ServerFaultRule("fstat", first: 1, answer: 0)),
                step(
                    .size, "size under the new name",
                    ServerFaultRule("lstat", name: finalName, first: 1, after: 1, answer: 0).forEachName),
                step(.rename, "rename", ServerFaultRule("rename", name: partName, first: 1, answer: 0)),
                readBack,
            ]
        case .rclone:
            // rclone itself retries after a broken connection. It requests the part before and after its
            // transfer.
            var look = step(
                nil, "size",
                ServerFaultRule("PROPFIND", name: partName, first: 1, after: 2, answer: 0).forEachName,
                only: [400])
            look.drops = false
            var rename = step(.rename, "rename", ServerFaultRule("MOVE", name: partName, first: 1, answer: 0))
            rename.drops = false
            return [rename, look]
        }
    }

    /// Returns a server on which a step fails once.
    ///
    /// - Parameter answer: The status of the response, or `nil` for a closed connection.
    static func row(_ kind: NastyServer.Kind, _ step: Step, _ answer: Int?) -> Case {
        let how = answer.map { "with \($0)" } ?? "by ending the connection"
        var row = Case(
            "\(kind.rawValue) fails once at the \(step.title) \(how)", kind, step.rule.answering(answer))
        // A closed session interrupts all of its transfers.
        if kind == .sftp { row.workers = 1 }
        if kind == .s3 { row.bytes = 7 << 20 }
        row.readsBack = step.readsBack
        row.expectsAnswer = answer.map { "\($0)" } ?? "drop"
        return row
    }

    /// Servers that accept a feature in the trial, and refuse it for all photos.
    static let later: [Case] = [
        Case("webDAV stops returning files", .webDAV, ServerFaultRule("GET", after: 1, answer: 403)),
        Case("ftp stops returning files", .ftp, ServerFaultRule("RETR", after: 1, answer: 550)),
        Case("sftp stops supporting fsync", .sftp, ServerFaultRule("fsync", after: 1, answer: 8)),
    ]

    /// A server that performs a rename, and then closes the connection without a response.
    static let lostAnswer: Case = {
        let rule = ServerFaultRule("rename", name: partName, first: 1, answer: 0).afterExecuting.dropping
        var row = Case("sftp loses the answer to a rename", .sftp, rule)
        row.workers = 1
        return row
    }()

    /// A disk that fails at an fsync. The bytes may be lost, and a second fsync would not report the loss.
    /// The photo is sent again.
    static let diskFailure: Case = {
        let rule = ServerFaultRule("fsync", first: 1, after: 1, answer: 4)
        var row = Case("sftp has a disk that fails once", .sftp, rule)
        row.workers = 1
        row.bytesMax += 1 / Double(Case.photos)
        return row
    }()

    /// A server that does not let clients write to an existing file. The part therefore can't be opened again
    /// before its rename.
    static let closedPart = Case(
        "sftp does not resume files, and fails once at the rename", .sftp,
        ServerFaultRule("open-write", name: "framefast-", exists: true, answer: 8),
        ServerFaultRule("rename", name: partName, first: 1, answer: 4))

    static let all: [Case] =
        NastyServer.Kind.allCases.flatMap { kind in
            steps(kind).flatMap { step in
                step.answers.map { row(kind, step, $0) } + (step.drops ? [row(kind, step, nil)] : [])
            }
        } + later + [lostAnswer, diskFailure, closedPart]

    /// One case for each place in the code that saves a resume point.
    static let gate: [Case] = {
        let names: Set = [
            "webDAV fails once at the reading back by ending the connection",
            "webDAV fails once at the size by ending the connection", "webDAV stops returning files",
            "ftp fails once at the reading back with 550", "sftp fails once at the fsync with 3",
            "sftp fails once at the size by ending the connection",
            "rclone fails once at the size with 400", "rclone fails once at the rename with 403",
        ]
        return all.filter { names.contains($0.testDescription) }
    }()
}
