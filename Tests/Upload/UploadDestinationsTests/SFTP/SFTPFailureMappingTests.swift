import Testing
import UploadEngine

@testable import UploadDestinations

/// Tests of the failures for the status codes of an SFTP server.
@Suite struct SFTPFailureMappingTests {
    struct Row: Sendable {
        var status: UInt32
        var step = UploadStep.send
        var kind: UploadFailure.Kind
        /// A part of the sentence.
        var words: String
    }

    private static let path = "photos/2026/a.part"

    static let rows = [
        // A parent of the folder is a file, or the server refused to create the folder.
        Row(status: 2, kind: .permanent(.notFound), words: "does not exist and cannot be created"),
        Row(
            status: 2, step: .makeFolder, kind: .permanent(.notFound),
            words: "does not exist and cannot be created"),
        Row(status: 2, step: .rename, kind: .permanent(.notFound), words: "has no such file"),
        Row(status: 3, kind: .permanent(.forbidden), words: "denied write permission"),
        Row(status: 3, step: .rename, kind: .permanent(.forbidden), words: "refuses to rename"),
        Row(status: 4, kind: .transient, words: "failed to store"),
        Row(status: 5, kind: .permanent(.unprocessable), words: "does not accept the name"),
        Row(status: 6, kind: .outage(retryAfterSeconds: nil), words: "lost its connection"),
        Row(status: 7, kind: .outage(retryAfterSeconds: nil), words: "lost its connection"),
        Row(status: 8, kind: .permanent(.misconfigured), words: "does not support the request"),
        Row(status: 10, kind: .permanent(.notFound), words: "does not exist and cannot be created"),
        Row(status: 10, step: .rename, kind: .permanent(.notFound), words: "has no such file"),
    ]

    @Test(arguments: rows)
    func `maps SFTP status codes to failure kinds`(row: Row) {
        let failure = SFTPFailureMapping.failure(
            status: SFTPStatus(rawValue: row.status), text: "Rule 17", path: Self.path, at: row.step)
        #expect(failure.kind == row.kind)
        #expect(failure.step == row.step)
        #expect(failure.sentence.contains(row.words), "\(failure.sentence)")
        #expect(failure.sentence.contains("(Rule 17)"), "\(failure.sentence)")
        if case .permanent = row.kind { #expect(failure.nextStep != nil) }
    }
}
