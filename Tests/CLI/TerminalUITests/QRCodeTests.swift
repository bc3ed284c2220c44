import Foundation
import Testing

@testable import TerminalUI

/// QR codes, read by a reader of another author (Debian's zbar-tools).
@Suite struct QRCodeTests {
    private static let reader = "/usr/bin/zbarimg"

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: reader),
            "needs zbar-tools (scripts/prepare --tests)"),
        arguments: [
            "a", "https://127.0.0.1:9480/#K7QM-4R2P", "https://192.168.100.200:9480/#00000000",
            String(repeating: "x", count: 62), String(repeating: "0123456789", count: 10),
            "HTTPS://[::1]:1/#x",
        ])
    func `another program reads what was encoded`(text: String) throws {
        let code = try #require(QRCode(text))
        let (scale, quiet) = (4, 4)
        let side = (code.side + 2 * quiet) * scale
        var image = Data("P5 \(side) \(side) 255\n".utf8)
        for row in 0..<side {
            for column in 0..<side {
                image.append(code.isDark(column / scale - quiet, row / scale - quiet) ? 0 : 255)
            }
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID().uuidString).pgm")
        try image.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: Self.reader)
        process.arguments = ["-q", "--raw", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let read = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(read == text + "\n")
    }

    @Test func `what is too long has no code`() {
        #expect(QRCode(String(repeating: "x", count: QRCode.bytesMax)) != nil)
        #expect(QRCode(String(repeating: "x", count: QRCode.bytesMax + 1)) == nil)
    }
}
