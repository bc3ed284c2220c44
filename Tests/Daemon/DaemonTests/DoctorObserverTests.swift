import Cameras
import Foundation
import FrameFastAPI
import Makers
import TestRig
import Testing

@testable import FrameFastConfiguration
@testable import FrameFastDaemon
@testable import FrameFastSystem

/// Tests of the doctor's checks of another user's service, and of the kernel's sandboxing.
@Suite(.blocking) struct DoctorObserverTests {
    struct Row: Sendable {
        var owner: UInt32
        var group: UInt32
        var mode: UInt32
        var allows: Bool

        init(_ owner: UInt32, _ group: UInt32, _ mode: UInt32, _ allows: Bool) {
            self.owner = owner
            self.group = group
            self.mode = mode
            self.allows = allows
        }
    }

    /// The service is user 900 in the groups 900 and 46.
    @Test(arguments: [
        Row(900, 0, 0o700, true), Row(0, 900, 0o770, true), Row(0, 46, 0o030, true), Row(0, 0, 0o003, true),
        Row(0, 0, 0o755, false), Row(0, 900, 0o750, false), Row(0, 0, 0o770, false),
        // The first matching permission class applies, even if it denies access.
        Row(900, 900, 0o077, false), Row(0, 900, 0o707, false), Row(900, 0, 0o200, false),
    ])
    func `owner, group and mode determine whether a folder is writable`(row: Row) {
        let permission = FolderPermission(owner: row.owner, group: row.group, mode: row.mode)
        #expect(permission.allows([.write, .search], user: 900, groups: [900, 46]) == row.allows)
        #expect(permission.allows([.write, .search], user: 0, groups: []))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change the owner of a folder"))
    func `a folder is writable only if all its ancestors are searchable`() throws {
        let folder = try ScratchFolder()
        let service = Observer.otherUser(4001, groups: [4242])
        let inner = folder.path("outer/inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        for path in [folder.url.path, folder.path("outer")] { #expect(chmod(path, 0o755) == 0) }
        #expect(service.mayWrite(to: inner) == false)
        #expect(chown(inner, 4001, 4242) == 0 && chmod(inner, 0o750) == 0)
        #expect(service.mayWrite(to: inner) == true)
        #expect(chmod(folder.path("outer"), 0o700) == 0)
        #expect(service.mayWrite(to: inner) == false)
        #expect(service.closedFolder(above: inner + "/photos") == folder.path("outer"))
        #expect(chown(folder.path("outer"), 0, 4242) == 0 && chmod(folder.path("outer"), 0o710) == 0)
        #expect(service.mayWrite(to: inner) == true)
        #expect(service.closedFolder(above: inner + "/photos") == nil)
        #expect(FolderPermission.nearest(to: inner + "/not/there") == inner)
        #expect(Observer.service.mayWrite(to: inner) == true)
    }

    @Test(arguments: [
        ("/srv/photos", "framefast", "sudo install -d -o framefast -g framefast /srv/photos"),
        ("/srv/my photos", "framefast", "sudo install -d -o framefast -g framefast '/srv/my photos'"),
        ("/data/it's", "ann", "sudo install -d -o ann '/data/it'\\''s'"),
    ])
    func `quotes the folder in the command that creates it`(folder: String, account: String, command: String)
    {
        #expect(Doctor.createCommand(folder, for: account) == command)
    }

    @Test(
        arguments: [
            (1, true, []), (0, true, ["Landlock"]), (1, false, ["seccomp"]),
            (0, false, ["Landlock", "seccomp"]),
        ] as [(Int, Bool, [String])])
    func `each step names a kernel feature that is missing`(version: Int, filters: Bool, missing: [String]) {
        let check = Doctor.sandbox(KernelSandboxing(landlockVersion: version, filtersCalls: filters))
        #expect((check.verdict == .ok) == missing.isEmpty)
        #expect(check.steps.count == missing.count)
        for (step, feature) in zip(check.steps, missing) { #expect(step.contains(feature)) }
    }

    /// Returns the diagnosis for a capture directory, for the service of another user.
    private static func diagnosis(_ photos: String, in folder: ScratchFolder) async throws -> DiagnosisReply {
        let file = folder.path("framefast.toml")
        let text = """
            [state]
            directory = "\(folder.path("state"))"
            [capture]
            directory = "\(photos)"
            min_free = "1 MiB"
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let doctor = Doctor(
            configuration: try Configuration.load(flags: .init(configFile: file), environment: [:]),
            knowledge: try KnowledgeBase.bundled(), bus: nil, service: nil,
            hostClock: VirtualClock().hostClock, observer: .otherUser(54_321, groups: []))
        return await doctor.examine()
    }

    @Test func `reports the error of a path that cannot be checked`() async throws {
        let folder = try ScratchFolder()
        let photos = folder.path("framefast.toml/photos")
        let reply = try await Self.diagnosis(photos, in: folder)
        let check = try #require(reply.checks.first { $0.id == "disk" })
        #expect(check.verdict == .danger)
        #expect(check.sentence == "\(photos) cannot be checked: Not a directory.")
        #expect(check.steps == ["Check the path in the configuration."])
    }

    /// The advice differs, because chown(1) fails for a missing folder.
    @Test(arguments: [true, false])
    func `advises to create a folder or to change its owner`(isMissing: Bool) async throws {
        let folder = try ScratchFolder()
        let photos = folder.path("photos")
        #expect(chmod(folder.url.path, 0o755) == 0)
        if !isMissing {
            try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: false)
            #expect(chmod(photos, 0o755) == 0)
        }
        let reply = try await Self.diagnosis(photos, in: folder)
        let check = try #require(reply.checks.first { $0.id == "disk" })
        #expect(check.verdict == .danger)
        if isMissing {
            let place = folder.url.path
            #expect(
                check.sentence
                    == "\(photos) does not exist, and the service's user cannot create it in \(place).")
            #expect(check.steps == ["Create the folder: " + Doctor.createCommand(photos, for: "framefast")])
        } else {
            #expect(check.sentence == "The service's user cannot write photos to \(photos).")
            #expect(check.steps == ["Change the folder's owner: sudo chown framefast: \(photos)"])
        }
    }

    @Test(arguments: [
        (true as Bool?, "ok", "is synchronized"), (false, "info", "is not synchronized"),
        (nil, "info", "Cannot check whether"),
    ])
    func `reports an unsynchronized or unknown clock as information`(
        isKept: Bool?, verdict: String, words: String
    ) {
        let check = Doctor.clock(isKept: isKept)
        #expect(check.$verdict.text == verdict)
        #expect(check.sentence.contains(words))
    }

    @Test func `lists the steps for a shared network as information`() throws {
        let network = HostNetwork(
            interface: "eth0", address: try #require(IPv4Address("192.168.1.4")),
            mask: try #require(IPv4Address("255.255.255.0")))
        let rows: [(steps: [String], verdict: String)] = [([], "ok"), (["Turn off wlan0."], "info")]
        for (steps, verdict) in rows {
            let check = Doctor.network(HostNetworks([network]), steps: steps)
            #expect(check.$verdict.text == verdict && check.steps == steps)
            #expect(check.sentence == "This computer is on 192.168.1.0/24 (eth0).")
        }
    }
}
