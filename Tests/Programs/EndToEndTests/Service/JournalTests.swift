import Foundation
import FrameFastAPI
import Glibc
import TestRig
import Testing

/// Tests of the journal entries that the whole program writes. The test's own socket replaces journald's
/// socket in a private mount namespace of the program.
@Suite(
    .serialized, .programs(2),
    .enabled(if: SmallDisk.isPossible, "mounting needs root and the right to mount"))
struct JournalTests {
    /// Returns the fields of one entry.
    private static func fields(_ entry: Data) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = entry[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<end]
            rest = rest[(end + 1)...]
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] =
                    String(decoding: line[(equals + 1)...], as: UTF8.self)
            } else {
                let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
                fields[String(decoding: line, as: UTF8.self)] =
                    String(decoding: rest.prefix(length), as: UTF8.self)
                rest = rest.dropFirst(length + 1)
            }
        }
        return fields
    }

    @Test func `writes journal entries with camera, capture, job, destination and duration`() async throws {
        let folder = try ScratchFolder()
        let inbox = try DatagramInbox(folder.path("socket"))
        let camera = try await Simulator(folder, ["--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"", "[log]", "level = \"debug\"",
            ])
        // Connects the service to the journal like systemd: JOURNAL_STREAM contains the device and inode of
        // descriptor 2.
        let script = """
            mount -t tmpfs none /run && mkdir -p /run/systemd/journal && mount --bind "$0" /run/systemd/journal
            export JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr)
            exec "$@"
            """
        try await rig.start(
            wrapper: [
                "/usr/bin/unshare", "-m", "--propagation", "private", "/bin/sh", "-ec", script,
                folder.url.path,
            ])
        try camera.command("shoot")
        try await rig.status("a photo to be delivered") { $0.uploads.delivered == 1 }
        #expect(try await rig.stop() == 0)

        // The inbox may receive the last entries after the service has ended.
        let entries = try await eventually("the entries of the photo") { () -> [[String: String]]? in
            let entries = inbox.received().map(Self.fields)
            return entries.contains { $0["MESSAGE"]?.hasPrefix("1 photo saved") == true } ? entries : nil
        }
        #expect(rig.log.isEmpty, "\(rig.log)")
        let connected = try #require(entries.first { $0["MESSAGE"]?.hasPrefix("connected") == true })
        #expect(connected["CAMERA"] == "studio-a" && connected["PRIORITY"] == "6")
        #expect(connected["SYSLOG_IDENTIFIER"] == "framefastd")
        #expect(connected["FRAMEFAST_MODEL"]?.isEmpty == false)
        let saved = try #require(entries.first { $0["MESSAGE"]?.hasPrefix("saved") == true }, "\(entries)")
        #expect(saved["CAMERA"] == "studio-a" && saved["CAPTURE"] == "1" && saved["PRIORITY"] == "7")
        #expect(saved["DURATION_MS"].flatMap { Int($0) } != nil)
        let delivered = try #require(entries.first { $0["MESSAGE"]?.hasPrefix("delivered") == true })
        #expect(delivered["JOB"] == "1" && delivered["CAPTURE"] == "1" && delivered["DESTINATION"] == "nas")
        #expect(delivered["DURATION_MS"].flatMap { Int($0) } != nil)
        let counted = try #require(entries.first { $0["MESSAGE"]?.hasPrefix("1 photo saved") == true })
        #expect(counted["CAMERA"] == "studio-a" && counted["PRIORITY"] == "6")
    }
}
