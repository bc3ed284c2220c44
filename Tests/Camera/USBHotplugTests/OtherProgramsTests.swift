import Foundation
import Glibc
import TestRig
import Testing

@testable import USBHotplug

@Suite struct OtherProgramsTests {
    /// The folders have no folder `fd`, as if this process may not read it.
    @Test func `omits own workers, whose open files are hidden`() throws {
        let folder = try ScratchFolder()
        for (process, name, user) in [("101", "VBoxSVC", getuid() + 1), ("102", "framefast-camer", getuid())]
        {
            try FileManager.default.createDirectory(
                atPath: folder.path(process), withIntermediateDirectories: true)
            try Data("\(name)\n".utf8).write(to: URL(filePath: folder.path("\(process)/comm")))
            let status = "Name:\t\(name)\nTracerPid:\t0\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\n"
            try Data(status.utf8).write(to: URL(filePath: folder.path("\(process)/status")))
        }
        #expect(USBHolder.programsOfOthers(in: folder.url.path) == ["VBoxSVC"])
    }
}
