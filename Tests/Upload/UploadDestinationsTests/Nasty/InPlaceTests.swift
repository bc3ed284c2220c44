import Foundation
import FrameFastModel
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests of photos that are stored directly under their final names, after an interrupted attempt.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct InPlaceTests {
        /// The file that exists under the attempt's name.
        enum ExistingFile: CaseIterable, Sendable {
            /// A part of the photo.
            case ownPart
            /// A photo of another installation: a shorter photo, one of the same size, or a longer photo.
            case shorterPhoto, photoOfSameSize, longerPhoto
        }

        struct Row: CustomTestStringConvertible, Sendable {
            var kind: NastyServer.Kind
            var existing: ExistingFile
            var testDescription: String { "\(kind.rawValue), \(existing)" }
        }

        static let all: [Row] = [NastyServer.Kind.webDAV, .ftp, .sftp].flatMap { kind in
            ExistingFile.allCases.map { Row(kind: kind, existing: $0) }
        }
        static let gate = [
            Row(kind: .webDAV, existing: .shorterPhoto), Row(kind: .webDAV, existing: .ownPart),
            Row(kind: .ftp, existing: .shorterPhoto), Row(kind: .ftp, existing: .photoOfSameSize),
            Row(kind: .sftp, existing: .shorterPhoto),
        ]
        private static let bytes = 400_000

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(arguments: Tier.rows(all, gate: gate))
        func `replaces only its own part, and otherwise uses the next name`(row: Row) async throws {
            let rename: ServerFaultRule =
                switch row.kind {
                case .ftp: ServerFaultRule("RNFR", answer: 550)
                case .sftp: ServerFaultRule("rename", answer: 4)
                default: ServerFaultRule("MOVE", "COPY", answer: 403)
                }
            let server = try await NastyServer(row.kind, [rename], in: scratch)
            let photo = try TestPhotos.one(bytes: Self.bytes, name: "a.JPG", in: scratch)
            let there =
                switch row.existing {
                case .ownPart: try Data(contentsOf: URL(filePath: photo.localPath)).prefix(200_000)
                case .shorterPhoto: Data(repeating: 7, count: 200_000)
                case .photoOfSameSize: Data(repeating: 7, count: Self.bytes)
                case .longerPhoto: Data(repeating: 7, count: Self.bytes + 1)
                }
            let file = server.folder.appending(path: "a.JPG")
            try FileManager.default.createDirectory(at: server.folder, withIntermediateDirectories: true)
            try there.write(to: file)
            var again = photo
            again.resumePoint = row.kind == .ftp ? "part a.JPG" : "put a.JPG"
            let receipt = try await (try server.destination()).upload(again)
            let next = row.kind == .sftp ? "a-2.JPG" : "a-1.JPG"
            #expect(receipt.remoteName == (row.existing == .ownPart ? "a.JPG" : next))
            #expect(server.files[receipt.remoteName] == photo.sha256, "[loss] wrong photo content")
            if row.existing != .ownPart {
                #expect(try Data(contentsOf: file) == there, "[loss] another station's photo was changed")
            }
        }
    }
}
