import Foundation
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

extension LoopbackServerTests {
    /// Tests with server programs that have settings from public bug reports. Each photo must be stored once,
    /// and its bytes must be sent once. If a server refuses all photos, uploads must wait instead of failing.
    @Suite(
        .programs(4), .nightly("in the gate, the servers of NastyServerTests refuse the same steps"),
        .timeLimit(.minutes(60)))
    struct RealServerTests {
        /// The sizes of the photos, in bytes. One photo is large enough for a multipart upload to S3.
        private static let sizes = [
            0, 1, 64, 511, 32_768, 32_769, 65_536, 100_000, 262_144, 7 << 20, 262_145, 300_001, 400_000,
            500_000, 700_000, 1_000_000, 1_048_577, 1_200_000, 1_500_000, 2_000_003,
        ]
        private static let names = [
            "IMG_N.JPG", "IMG 00N.JPG", "Müller & Söhne N.JPG", "a+b #N 100%.JPG", "(N)'!~@$,.NEF",
            "写真 é N.CR3",
        ]
        /// The number of bytes after which a connection breaks, in the middle of the largest photo.
        private static let breakAfter = 3_000_000
        /// The highest allowed ratio of sent bytes to photo bytes.
        private static let bytesMax = 1.05

        let scratch: ScratchFolder

        init() throws { scratch = try ScratchFolder() }

        @Test(
            .enabled(if: TestServers.hasVsftpd && TestServers.hasPython, TestServers.vsftpdReason),
            arguments: rows(RealServer.vsftpdRows))
        func `delivers each photo once to a vsftpd server`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        @Test(
            .enabled(if: TestServers.hasPureFTPd && TestServers.hasPython, TestServers.pureFTPdReason),
            arguments: rows(RealServer.pureFTPdRows))
        func `delivers each photo once to a pure-ftpd server`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        @Test(
            .enabled(if: TestServers.hasNginx && TestServers.hasPython, TestServers.nginxReason),
            arguments: rows(RealServer.tlsProxyRows + RealServer.nginxRows))
        func `delivers each photo once to nginx and through its proxy`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            arguments: rows(RealServer.nextcloudRows))
        func `delivers each photo once under Nextcloud's rules for names`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        @Test(
            .enabled(if: SSHServer.isInstalled && TestServers.hasPython, "needs openssh-server"),
            arguments: rows(RealServer.openSSHRows))
        func `delivers each photo once to an OpenSSH server`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        @Test(
            .enabled(if: TestServers.hasPython, TestServers.pythonReason),
            arguments: rows(RealServer.s3Rows))
        func `delivers each photo once to an S3 server`(row: RealServer.Row) async throws {
            try await expectOutcome(row)
        }

        /// Returns the rows. Adds a row with a breaking connection for each server that accepts photos and
        /// reports their sizes.
        private static func rows(_ rows: [RealServer.Row]) -> [RealServer.Row] {
            rows + rows.filter { $0.refusal == nil && !$0.isBlind }.map(\.breaking)
        }

        private static func isOver(_ uploads: WaitingUploads, _ row: RealServer.Row) -> Bool {
            let outcome = uploads.outcome
            guard row.refusal == nil else { return uploads.isRefused() && !outcome.conditions.isEmpty }
            return outcome.delivered.count + outcome.failed.count == uploads.count
        }

        private func expectOutcome(_ row: RealServer.Row) async throws {
            let server = try await row.start(scratch)
            let line = try await server.line(breakAfter: row.breaks ? Self.breakAfter : nil, in: scratch)
            let uploads = try await WaitingUploads(
                Self.sizes.count, sizes: Self.sizes, names: Self.names, in: scratch)
            let memory = DestinationMemory()
            let destination = server.destination(line.proxy.port, memory)
            try await uploads.running(destination, memory: memory, isNameChosen: false) { _ in
                try? await eventually("the outcome of the uploads", within: 120) {
                    Self.isOver(uploads, row) ? () : nil
                }
            }
            let files = try await server.files()
            let outcome = uploads.outcome
            let left = files.keys.filter { !outcome.delivered.contains($0) }.sorted()
            let bytes = uploads.photos.reduce(0) { $0 + Int($1.bytes) }
            let ratio = Double(line.bytes) / Double(bytes)
            let refused = memory.capabilities.observations.filter { !$0.observation.isOffered }.map {
                $0.feature.rawValue
            }
            print(
                "RealServerTests: \(row.testDescription): \(outcome.delivered.count) of \(uploads.count) "
                    + "photos, bytes ratio \((ratio * 1000).rounded() / 1000), leftovers \(left.count), "
                    + "without \(refused.isEmpty ? "nothing" : refused.joined(separator: ", "))")
            #expect(outcome.failed == [], "[loss] failed")
            if let refusal = row.refusal {
                #expect(outcome.delivered.isEmpty && left.isEmpty, "\(files)")
                #expect(outcome.conditions.contains { $0.contains(refusal) }, "\(outcome.conditions)")
                return
            }
            #expect(outcome.delivered.count == uploads.count, "\(outcome.conditions)")
            #expect(Set(outcome.delivered).count == outcome.delivered.count, "[loss] one name for two photos")
            #expect(
                Set(outcome.delivered.compactMap { files[$0] }) == Set(uploads.photos.map(\.sha256)),
                "[loss] cut, changed or missing")
            // If clients can neither remove nor replace files, the parts of broken transfers also stay on the
            // server. With SFTP, one broken connection may interrupt several photos.
            let others = left.filter { !row.keepsTrialFiles || !$0.contains("framefast-trial-") }
            let othersMax = row.breaks && row.keepsTrialFiles ? uploads.count : 0
            #expect(others.count <= othersMax, "leftovers \(others)")
            // If the server can't resume a transfer, the photo is sent again.
            let broken = row.breaks ? Double(Self.sizes.max() ?? 0) / Double(bytes) : 0
            #expect(ratio <= Self.bytesMax + broken, "\(line.bytes) bytes for \(bytes)")
        }
    }
}
