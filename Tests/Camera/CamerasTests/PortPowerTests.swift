import Foundation
import TestRig
import Testing

@testable import Cameras

/// The power of a USB port, switched by a program.
@Suite struct PortPowerTests {
    private static func program(_ folder: ScratchFolder, _ lines: String) throws -> String {
        let path = folder.path("uhubctl")
        try "#!/bin/sh\n\(lines)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    @Test func `a port is named by its hub, as uhubctl does`() {
        #expect(PortPower(portPath: "1-2")?.arguments.prefix(4) == ["--location", "1", "--ports", "2"])
        #expect(
            PortPower(portPath: "3-1.4.10")?.arguments.prefix(4) == ["--location", "3-1.4", "--ports", "10"])
        for path in ["usb1", "", "1-", "1-1.x", "1-0"] {
            #expect(PortPower(portPath: path) == nil, "\(path)")
        }
    }

    @Test func `the program is told what to do, and its words say why it did not`() async throws {
        let folder = try ScratchFolder()
        let port = try #require(PortPower(portPath: "1-1.4"))
        let told = folder.path("told")
        try await port.cycle(program: try Self.program(folder, "echo \"$@\" > \(told)"))
        #expect(
            try String(contentsOfFile: told, encoding: .utf8)
                == "--location 1-1 --ports 4 --action cycle --delay 2\n")
        let failing = try Self.program(folder, "echo 'No compatible devices detected!' >&2; exit 1")
        let refused = await #expect(throws: PortPower.Failure.self) { try await port.cycle(program: failing) }
        #expect(refused?.text == "uhubctl: No compatible devices detected!")
        await #expect(throws: PortPower.Failure.self) { try await port.cycle(program: folder.path("none")) }
    }
}
