import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Tests with a file system that has neither RENAME_NOREPLACE nor hard links, like some FUSE file systems.
@Suite(
    .serialized, .programs(4),
    .enabled(if: Strace.isPossible, "letting system calls fail needs strace and the right to trace"))
struct PlainFileSystemTests {
    private static let renames = "renameat2"
    private static let links = "linkat,?link"

    /// The error codes by which a file system reports an unsupported call (rename(2), link(2)).
    struct Refusal: Sendable, CustomTestStringConvertible {
        var rename: String
        var link: String
        var testDescription: String { "\(rename), \(link)" }
        var injections: [Strace.Injection] {
            [.init(renames, "error=\(rename)"), .init(links, "error=\(link)")]
        }
    }

    static let refusals = [
        Refusal(rename: "ENOSYS", link: "ENOSYS"), Refusal(rename: "EINVAL", link: "EPERM"),
        Refusal(rename: "EINVAL", link: "EOPNOTSUPP"), Refusal(rename: "EOPNOTSUPP", link: "EINVAL"),
    ]

    @Test(arguments: Tier.rows(refusals, gate: 1))
    func `saves photos without RENAME_NOREPLACE and hard links and keeps existing files`(
        refusal: Refusal
    )
        async throws
    {
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{original}.{ext}\""])
        try FileManager.default.createDirectory(atPath: rig.captures, withIntermediateDirectories: true)
        try await rig.start()
        try await rig.status("the camera to be ready") { $0.cameras.first?.state == .ready }
        let daemon = try #require(rig.program?.pid)
        let strace = try await Strace(daemon, refusal.injections, in: folder)
        try camera.command("shoot")
        let one = try await rig.waitUntil("a photo") { try $0.status.captures.total >= 1 && $0.isSettled }
        let first = try #require(try one.files.keys.first)
        let next = first.replacingOccurrences(of: "0001", with: "0002")
        try #require(next != first)
        let bytes = Data("foreign".utf8)
        try bytes.write(to: URL(filePath: rig.captures + "/" + next))
        try camera.command("shoot")
        let two = try await rig.waitUntil("two photos", within: 60) {
            try $0.status.captures.total >= 2 && $0.isSettled
        }
        #expect(
            FileManager.default.contents(atPath: rig.captures + "/" + next) == bytes,
            "[loss] a foreign file was replaced")
        let injected = strace.calls.filter(\.isInjected).map(\.text)
        #expect(
            injected.contains { $0.contains(refusal.rename) }
                && injected.contains { $0.contains(refusal.link) })
        try await strace.detach()
        let taken = try Set(camera.truth().map(\.sha256))
        #expect(try taken.isSubset(of: two.files.values), "[loss] wrong photos on disk")
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }

    @Test(.nightly("a kill at a rare moment; SyscallSweepTests kills at each call"))
    func `replaces a killed service's empty file with the complete photo`() async throws {
        let refusal = Refusal(rename: "EINVAL", link: "EPERM")
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--size", "100KB"])
        let rig = try DaemonRig(
            cameras: [("a", camera.address)], capture: ["template = \"{original}.{ext}\""])
        rig.expectedErrors = ["condition=photos-away"]
        try await rig.start()
        try camera.command("shoot")
        let one = try await rig.waitUntil("a photo") { try $0.status.captures.total >= 1 && $0.isSettled }
        let name = try #require(try one.files.keys.first)
            .replacingOccurrences(of: "0001", with: "0002")
        let path = rig.captures + "/" + name
        let program = try #require(rig.program)
        let killer = try await Strace(
            program.pid, refusal.injections + [.init("?lstat,newfstatat", "signal=KILL")], paths: [path],
            in: folder)
        try camera.command("shoot")
        try await program.waitUntilExit()
        try await killer.detach()
        #expect(FileManager.default.contents(atPath: path) == Data())

        // The obstacle in the folder delays the repair until strace injects the errors again.
        let obstacle = rig.captures + "/.framefast/set-aside"
        try FileManager.default.removeItem(atPath: obstacle)
        try Data().write(to: URL(filePath: obstacle))
        try await rig.start()
        try await rig.status("the condition") { $0.conditions.contains { $0.code == "photos-away" } }
        let strace = try await Strace(
            try #require(rig.program).pid, refusal.injections, in: folder)
        try FileManager.default.removeItem(atPath: obstacle)
        try await rig.waitUntilSaved(2)
        #expect(strace.calls.contains { $0.isInjected })
        try await strace.detach()
        let wrong = try await rig.untilIntact(camera.truth())
        #expect(wrong == [])
        #expect(
            try DaemonRig.sha256(ofFile: path) == camera.truth().last?.sha256,
            "[loss] wrong photo under this name")
        #expect(try await rig.stop() == 0)
        #expect(rig.errorsInLog == [], "[loss] errors in the log")
    }
}
