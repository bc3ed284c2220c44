import ChildProcesses
import FrameFastModel
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of the sentences about refusals, for all combinations of kinds, steps, and responses of the
/// protocols.
@Suite struct RefusalSentenceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var kind: DestinationKind
        var step: UploadStep
        var testDescription: String { "\(kind.rawValue), \(step.rawValue)" }
    }

    /// A failure with the response that caused it.
    typealias Refusal = (response: String, failure: UploadFailure)

    /// A message from the server. The message contains a secret, and is longer than a sentence may quote.
    static let words = "Rule 17, password=hunter2 " + String(repeating: "and more ", count: 80)
    private static let name = "a.part"

    /// Returns the steps that a kind's server can refuse. A folder has no server.
    static func steps(_ kind: DestinationKind) -> [UploadStep] {
        switch kind {
        case .directory: []
        case .s3: [.look, .send, .complete, .remove]
        case .sftp: [.makeFolder, .look, .send, .resume, .sync, .setTime, .readBack, .rename, .remove]
        case .ftp:
            [
                .listFeatures, .makeFolder, .look, .readTime, .send, .resume, .setTime, .checksum, .readBack,
                .rename, .remove,
            ]
        case .webdav: [.makeFolder, .look, .send, .setTime, .readBack, .rename, .remove]
        case .http: [.look, .send, .complete, .readBack, .remove]
        case .rclone: [.look, .send, .rename, .remove]
        case .command: [.send]
        }
    }

    static let rows = DestinationKind.allCases.flatMap { kind in
        steps(kind).map { Row(kind: kind, step: $0) }
    }

    /// Returns one refusal of a step for each response of the protocol.
    private static func refusals(_ row: Row) -> [Refusal] {
        switch row.kind {
        case .directory: []
        case .webdav, .http: http(row.step)
        case .s3: s3(row.step)
        case .ftp: ftp(row.step)
        case .sftp: sftp(row.step)
        case .rclone: rclone(row.step)
        case .command: command()
        }
    }

    private static func http(_ step: UploadStep) -> [Refusal] {
        [400, 403, 404, 405, 409, 412, 415, 422, 500, 501, 502, 503].map { (status) -> Refusal in
            var response = CurlResponse(status: status)
            response.body = Array("<d:error><s:message>\(words)</s:message></d:error>".utf8)
            return ("status \(status)", response.refusal(place: "https://host", at: step, name: name))
        }
    }

    private static func s3(_ step: UploadStep) -> [Refusal] {
        let codes = [
            "AccessDenied", "NoSuchBucket", "EntityTooLarge", "KeyTooLongError", "BadDigest",
            "OperationAborted", "SlowDown", "QuotaExceeded", "SomethingNew",
        ]
        return [200, 400, 403, 409, 501, 503].flatMap { status in
            codes.map { (code) -> Refusal in
                let xml = "<Error><Code>\(code)</Code><Message>\(words)</Message></Error>"
                let response = S3Response(http: CurlResponse(status: status, body: Array(xml.utf8)))
                let failure = response.refusal(
                    place: "https://host", bucket: "photos", at: step, name: name)
                return ("\(status) \(code)", failure)
            }
        }
    }

    private static func ftp(_ step: UploadStep) -> [Refusal] {
        [500, 502, 550, 553].map { (reply) -> Refusal in
            let said = ServerWords.withoutSecrets(words)
            return (
                "\(reply)",
                TransportFailure.ftp(
                    reply, place: "ftp://host", words: String(said.prefix(200)), denied: false, step, name)
            )
        }
    }

    private static func sftp(_ step: UploadStep) -> [Refusal] {
        [SFTPStatus.permissionDenied, .failure, .unsupported].map { status in
            (
                "status \(status.rawValue)",
                SFTPFailureMapping.failure(status: status, text: words, path: name, at: step)
            )
        }
    }

    private static func rclone(_ step: UploadStep) -> [Refusal] {
        [
            "permission denied", "NoSuchBucket", "InternalError", "entity too large", "quota exceeded",
            "unauthorized", "x509: unknown authority", "didn't find section in config file", "HTTP error 403",
            "object is odd",
        ].map { text in
            (text, RcloneFailureMapping.failure("\(text): \(words)", at: step, name: "2026/\(name)"))
        }
    }

    private static func command() -> [Refusal] {
        let settings = CommandSettings(program: "/bin/true", retryCodes: [11])
        let destination = CommandDestination(
            name: "script", settings: settings, logger: CommandDestinationTests.logger)
        let ends: [CommandRun.End] = [
            .exited(1), .exited(11), .exited(75), .killed(signal: 9), .timedOut,
            .notStarted("no such file: Rule 17"),
        ]
        return ends.compactMap { (end) -> Refusal? in
            let outcome = CommandRun.Outcome(end: end, errors: "starting\n\(words)\n")
            return destination.failure(outcome, "2026/\(name)").map { ("\(end)", $0) }
        }
    }

    @Test(arguments: rows)
    func `names step, file and server message in each refusal`(row: Row) {
        let refusals = Self.refusals(row)
        #expect(!refusals.isEmpty)
        for (response, failure) in refusals {
            let said = Comment(rawValue: "\(response): \(failure.sentence)")
            #expect(failure.step == row.step, said)
            #expect(failure.sentence.contains(row.step.infinitive(Self.name)), said)
            #expect(failure.sentence.contains("Rule 17"), said)
            #expect(!failure.sentence.contains("hunter2"), said)
            #expect(failure.sentence.count < 450, said)
            #expect(failure.failedAttempt.nextStep?.isEmpty == false, said)
        }
    }

    /// A missing permission for one step says nothing about other steps.
    @Test(arguments: rows.filter { $0.step != .send && $0.kind != .command })
    func `gives advice for the refused step when permission is missing`(row: Row) {
        let refused = Self.refusals(row).filter { $0.failure.kind == .permanent(.forbidden) }
        let sending = Self.refusals(Row(kind: row.kind, step: .send))
            .filter { $0.failure.kind == .permanent(.forbidden) }
        #expect(!refused.isEmpty && refused.count == sending.count)
        for (refused, sending) in zip(refused, sending) where !(row.kind == .s3 && row.step == .complete) {
            #expect(refused.failure.nextStep != sending.failure.nextStep, "\(refused.response)")
        }
    }
}
