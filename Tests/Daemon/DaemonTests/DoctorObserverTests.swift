import Foundation
import FrameFastAPI
import FrameFastSystem
import TestRig
import Testing

@testable import FrameFastDaemon

/// Tests of the doctor's checks of another user's service.
@Suite struct DoctorObserverTests {
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

    @Test(arguments: [
        (true as Bool?, "ok", "is synchronized"), (false, "info", "is not synchronized"),
        (nil, "info", "Cannot check whether"),
    ])
    func `reports an unknown clock state as information`(
        isKept: Bool?, verdict: String, words: String
    ) {
        let check = Doctor.clock(isKept: isKept)
        #expect(check.$verdict.text == verdict)
        #expect(check.sentence.contains(words))
    }
}
