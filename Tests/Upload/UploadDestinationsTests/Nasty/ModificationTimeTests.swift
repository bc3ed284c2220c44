import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Tests of the modification times of copies on servers.
@Suite struct ModificationTimeTests {
    /// Times in seconds since 1970: the start of 1980, the last second of 1999, a leap day, a time in the
    /// first hour of daylight saving time in Berlin, and a later time.
    static let times: [Int64] = [315_532_800, 946_684_799, 951_782_400, 1_774_747_800, 1_795_271_130]

    /// Sets the modification time of a photo's file. Adds 0.75 s, because servers receive only whole seconds.
    static func setTime(_ seconds: Int64, of photo: UploadItem) throws {
        let time = Date(timeIntervalSince1970: Double(seconds) + 0.75)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: photo.localPath)
    }

    /// Returns the modification time of a file, in whole seconds since 1970.
    static func time(ofFile path: String) throws -> Int64? {
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return time.map { Int64($0.timeIntervalSince1970.rounded(.down)) }
    }

    @Test(arguments: times)
    func `sets the capture time on a copy in a folder`(seconds: Int64) async throws {
        let scratch = try ScratchFolder()
        let photo = try TestPhotos.one(bytes: 5000, name: "day 1/a.JPG", in: scratch)
        try Self.setTime(seconds, of: photo)
        let destination = DirectoryDestination(
            name: "nas", folder: scratch.path("share"), stateDirectory: scratch.path("state"))
        let receipt = try await destination.upload(photo)
        #expect(try Self.time(ofFile: scratch.path("share/\(receipt.remoteName)")) == seconds)
    }

    @Test(
        arguments: zip(
            [0] + times + [253_402_300_799],
            [
                "19700101000000", "19800101000000", "19991231235959", "20000229000000", "20260329013000",
                "20261121142530", "99991231235959",
            ]))
    func `formats the MFMT time in UTC`(seconds: Int64, text: String) {
        #expect(FTPDestination.time(seconds) == text)
    }

    @Test(arguments: [-1, 253_402_300_800, Int64.min, .max])
    func `returns no MFMT time outside the supported range`(seconds: Int64) {
        #expect(FTPDestination.time(seconds) == nil)
    }

    @Test func `omits X-OC-Mtime for times up to the start of January 2, 1970`() {
        #expect(WebDAVDestination.timeHeader(-1) == [])
        #expect(WebDAVDestination.timeHeader(86_400) == [])
        #expect(WebDAVDestination.timeHeader(86_401) == [HTTPHeader("X-OC-Mtime", "86401")])
    }

    @Test(arguments: [
        (["a", "b"], true), (["a", "a"], false), ([nil, nil], true), (["a", nil], true), ([], true),
    ])
    func `sets no WebDAV times if two photos have the same entity tag`(
        tags: [String?], isSafe: Bool
    ) {
        #expect(TrialFile.otherText != TrialFile.text)
        #expect(TrialFile.otherText.utf8.count == Int(TrialFile.bytes))
        #expect(WebDAVDestination.areDistinct(tags) == isSafe)
    }

    @Test(arguments: times)
    func `stores the capture time as S3 metadata`(seconds: Int64) async throws {
        let scratch = try ScratchFolder()
        let photo = try TestPhotos.one(bytes: 10, name: "a.JPG", in: scratch)
        try Self.setTime(seconds, of: photo)
        let memory = DestinationMemory()
        let destination = S3Destination(
            S3Settings(endpoint: "http://127.0.0.1", bucket: "b", accessKey: "k", secretKey: Secret("s")),
            memory: memory)
        let file = try PhotoFile(photo)
        let header = HTTPHeader("x-amz-meta-mtime", "\(seconds)")
        #expect(await destination.objectHeaders(file, photo, "a.JPG").contains(header))
        await memory.learn(.metadata, isOffered: false)
        #expect(await destination.objectHeaders(file, photo, "a.JPG").map(\.name) == ["Content-Type"])
    }
}

extension LoopbackServerTests {
    /// Tests with servers that first accept modification times and later refuse them.
    @Suite(
        .programs(3), .enabled(if: TestServers.hasPython, TestServers.pythonReason), .timeLimit(.minutes(10)))
    struct ServedModificationTimeTests {
        struct Row: CustomTestStringConvertible, Sendable {
            var kind: NastyServer.Kind
            var seconds: Int64
            /// Whether the server refuses to rename.
            var isInPlace = false
            var testDescription: String { "\(kind.rawValue), \(seconds)\(isInPlace ? ", in place" : "")" }

            /// The rules of a server that accepts modification times in the trial and for one photo. The
            /// server refuses all later times. The WebDAV trial sets the time twice.
            var rules: [ServerFaultRule] {
                switch kind {
                case .ftp:
                    [ServerFaultRule("MFMT", after: 2, answer: 550)]
                        + (isInPlace ? [ServerFaultRule("RNFR", answer: 550)] : [])
                case .sftp:
                    [ServerFaultRule("setstat", after: 2, answer: 4)]
                        + (isInPlace ? [ServerFaultRule("rename", answer: 4)] : [])
                default:
                    [ServerFaultRule("PUT", header: "^X-OC-Mtime", after: 3, answer: 400)]
                        + (isInPlace ? [ServerFaultRule("MOVE", "COPY", answer: 403)] : [])
                }
            }
        }

        static let all = [NastyServer.Kind.ftp, .sftp, .webDAV].flatMap { kind in
            ModificationTimeTests.times.map { Row(kind: kind, seconds: $0) }
                + [Row(kind: kind, seconds: 946_684_799, isInPlace: true)]
        }
        static let gate = [
            Row(kind: .ftp, seconds: 946_684_799), Row(kind: .sftp, seconds: 1_774_747_800, isInPlace: true),
            Row(kind: .webDAV, seconds: 315_532_800),
        ]
        private static let bytes = 200_000

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        private func time(of receipt: UploadReceipt, at server: NastyServer) throws -> Int64? {
            try ModificationTimeTests.time(ofFile: server.folder.appending(path: receipt.remoteName).path)
        }

        private func photo(_ name: String, _ row: Row) throws -> UploadItem {
            let photo = try TestPhotos.one(bytes: Self.bytes, name: name, in: scratch)
            try ModificationTimeTests.setTime(row.seconds, of: photo)
            return photo
        }

        @Test(arguments: Tier.rows(all, gate: gate))
        func `sets the capture time until the server refuses times`(row: Row) async throws {
            let server = try await NastyServer(row.kind, row.rules, in: scratch)
            let memory = DestinationMemory()
            let destination = try server.destination(memory: memory)
            let first = try photo("a b.JPG", row)
            let receipt = try await destination.upload(first)
            #expect(memory.capabilities[.modificationTime]?.isOffered == true)
            #expect(try time(of: receipt, at: server) == row.seconds)
            #expect(server.files[receipt.remoteName] == first.sha256, "[loss] wrong photo content")

            let second = try photo("c.JPG", row)
            let refused = try await destination.upload(second)
            #expect(!memory.offers(.modificationTime))
            #expect(try time(of: refused, at: server) != row.seconds)
            #expect(server.files[refused.remoteName] == second.sha256, "[loss] wrong photo content")
            // A server that refuses the header of a PUT has already received the bytes.
            let sendings = row.kind == .webDAV ? 3 : 2
            #expect(server.bytesReceived < sendings * Self.bytes + 10_000, "a photo is not sent again")
        }
    }
}
