import Foundation
import TestRig

/// A running `usb-watch` that watches the bus of a USB bed.
final class WatchingProgram {
    /// A line of the output. The fields depend on the kind of line.
    struct Line: Decodable, Hashable {
        struct Interface: Decodable, Hashable {
            var number: Int
            var `class`: Int
            var subclass: Int
            var `protocol`: Int
            var driver: String?
            var interrupt: [Int]?
        }

        var event: String?
        var portPath: String?
        var number: Int?
        var vendorID: Int?
        var productID: Int?
        var deviceClass: Int?
        var configurations: Int?
        var interfaces: [Interface]?
        var properties: [String: String]?
        var manufacturer: String?
        var product: String?
        var serial: String?
        var node: String?
        var driverPort: String?

        var driver: String?
        var pid: Int32?
        var name: String?
        var hidden: Bool?
        var free: Bool?
        var access: String?
        var owner: String?
        var group: String?
        var mode: String?
        var reset: Bool?
        var reopened: Bool?
        var closed: Bool?
        var threads: Int?
        var descriptors: Int?
        var error: String?
    }

    let process = Process()
    private let input = Pipe()
    private let log: URL

    init(_ bed: USBBed, _ folder: ScratchFolder, asUser wrapper: [String] = []) throws {
        log = folder.url.appending(path: "watch-\(UUID().uuidString.prefix(8)).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = bed.wrapper + wrapper + [Programs.path("usb-watch").path]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Returns all complete lines of the output.
    func lines() throws -> [Line] {
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        // The last line may be incomplete.
        return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    /// Waits until the program has reported this event for a port.
    @discardableResult
    func waitFor(_ event: String, _ driverPort: String) async throws -> Line {
        try await eventually("\(driverPort) to have \(event)") {
            guard process.isRunning else { throw WaitTimeout(description: "usb-watch ended") }
            return try lines().last { $0.driverPort == driverPort && $0.event == event }
        }
    }

    /// Sends a command and waits for the response.
    func send(_ command: String) async throws -> Line {
        let before = try lines().count { $0.event == nil }
        input.fileHandleForWriting.write(Data((command + "\n").utf8))
        return try await eventually("an answer to \(command)") {
            guard process.isRunning else { throw WaitTimeout(description: "usb-watch ended") }
            let answers = try lines().filter { $0.event == nil }
            return answers.count > before ? answers[before] : nil
        }
    }
}
