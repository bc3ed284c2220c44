import Foundation
import Glibc
import TestRig
import Testing

@testable import USBHotplug

@Suite struct OtherProgramsTests {
    /// The folders have no folder `fd`, as if this process may not read it.
    @Test func `omits own workers and kernel threads, whose open files are hidden`() throws {
        let folder = try ScratchFolder()
        let other = getuid() + 1
        for (process, name, user, command) in [
            ("101", "VBoxSVC", other, "/usr/lib/virtualbox/VBoxSVC\0--auto-shutdown\0"),
            ("102", "framefast-camer", getuid(), "/usr/libexec/framefast-camera\0"),
            ("103", "usb-storage", other, ""),
        ] {
            try FileManager.default.createDirectory(
                atPath: folder.path(process), withIntermediateDirectories: true)
            for (file, text) in [
                ("comm", "\(name)\n"), ("cmdline", command),
                ("status", "Name:\t\(name)\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\nGid:\t0\t0\t0\t0\n"),
            ] {
                try Data(text.utf8).write(to: URL(filePath: folder.path("\(process)/\(file)")))
            }
        }
        #expect(USBHolder.programsOfOthers(in: folder.url.path) == ["VBoxSVC"])
    }
}
