import APIClient
import Foundation
import FrameFastAPI
import Repository
import TestRig
import Testing

/// Runs each example of `docs/api-guide.md` in a shell, against the real service with a camera.
@Suite(
    .serialized, .programs(3),
    .enabled(if: GuideExample.isPossible, "needs bash, curl and jq (scripts/prepare --tests)"))
struct APIGuideTests {
    @Test func `each example of the API guide returns the documented response`() async throws {
        let examples = try GuideExample.all()
        #expect(examples.count > 20)
        let folder = try ScratchFolder()
        let camera = try await Simulator(folder, ["--maker", "canon", "--size", "50KB"])
        let rig = try DaemonRig(
            cameras: [("studio-a", camera.address)],
            tables: [
                "[[destination]]", "name = \"nas\"", "kind = \"directory\"",
                "path = \"\(folder.path("nas"))\"",
            ])
        try await rig.start()
        try camera.command("shoot 2")
        try await rig.status("two photos to be delivered") { $0.uploads.delivered == 2 }
        let setUp = try #require(examples.first).commands
            .replacing("/run/framefast/framefast.sock", with: rig.socket)
        for example in examples.dropFirst() {
            if example.runsUntilStopped {
                let follower = try example.start(after: setUp, in: folder)
                try await eventually("the stream to be open", every: 200) {
                    try camera.command("shoot")
                    return follower.output.contains("/studio-a-") ? () : nil
                }
                follower.signal(SIGKILL)
                continue
            }
            let (status, output) = try await example.run(after: setUp, in: folder)
            #expect(status == example.status, "\(example.commands): \(output)")
            guard let wanted = example.answer else { continue }
            let difference = try GuideExample.difference(of: output, from: wanted)
            #expect(difference == nil, "\(example.commands): \(difference ?? "") in \(output)")
        }
        #expect(try await rig.stop() == 0)
    }
}

/// One block of commands in the guide, with the documented response.
struct GuideExample {
    /// The commands to run.
    var commands: String
    /// The exit status of the last command.
    var status: Int32
    /// Whether the command runs until it is stopped.
    var runsUntilStopped: Bool
    /// The documented response, or `nil` if the guide shows none.
    var answer: String?

    private static let bash = URL(filePath: "/bin/bash")

    static let isPossible = ["/bin/bash", "/usr/bin/curl", "/usr/bin/jq"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Returns all examples in order.
    static func all() throws -> [Self] {
        let guide = Repository.file("docs/api-guide.md")
        var examples: [Self] = []
        var block: (head: Substring, lines: [Substring])?
        for line in try String(contentsOf: guide, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        {
            guard line.hasPrefix("```") else {
                block?.lines.append(line)
                continue
            }
            guard let (head, lines) = block else {
                block = (line.dropFirst(3), [])
                continue
            }
            block = nil
            let text = lines.joined(separator: "\n")
            if head.hasPrefix("sh") {
                let status = head.hasPrefix("sh exits with ") ? Int32(head.dropFirst(14)) : 0
                examples.append(
                    Self(
                        commands: text, status: try #require(status),
                        runsUntilStopped: head == "sh runs until stopped"))
            } else if head == "json" || head == "text" {
                examples[examples.count - 1].answer = text
            }
        }
        return examples
    }

    /// Starts the example in a shell in the folder, after the guide's first block.
    func start(after setUp: String, in folder: ScratchFolder) throws -> RunningProgram {
        try RunningProgram(
            Self.bash, ["-c", "\(setUp)\ncd '\(folder.url.path)'\n{\n\(commands)\n} 2>/dev/null"],
            log: folder.url.appending(path: "example-\(UUID().uuidString.prefix(8)).log"))
    }

    /// Runs the example to its end.
    func run(after setUp: String, in folder: ScratchFolder) async throws -> (status: Int32, output: String) {
        let program = try start(after: setUp, in: folder)
        return (try await program.waitUntilExit(), program.output)
    }

    // MARK: the shape of a response

    /// Returns the first difference between the shapes of a response and of the guide's response, or `nil` if
    /// the shapes match.
    ///
    /// In JSON, each documented field must exist with a value of the same kind. A plain-text response must
    /// have the same number of lines as in the guide.
    static func difference(of output: String, from wanted: String) throws -> String? {
        let (ours, theirs) = (values(output), values(wanted))
        guard !theirs.isEmpty else {
            let (lines, expected) = (
                output.split(separator: "\n").count, wanted.split(separator: "\n").count
            )
            return lines == expected ? nil : "\(lines) lines instead of \(expected)"
        }
        guard ours.count >= theirs.count else { return "\(ours.count) values instead of \(theirs.count)" }
        for (one, other) in zip(ours, theirs) {
            if let difference = difference(one, other, at: "") { return difference }
        }
        return nil
    }

    /// Returns all JSON values in a text, in order, or an empty array if the text is not JSON.
    private static func values(_ text: String) -> [Any] {
        let options: JSONSerialization.ReadingOptions = [.fragmentsAllowed]
        if let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: options) {
            return [value]
        }
        let parts = text.replacing("}\n{", with: "}\u{0}{").split(separator: "\u{0}")
        let values = parts.compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8), options: options)
        }
        return values.count == parts.count ? values : []
    }

    private static func difference(_ ours: Any, _ theirs: Any, at place: String) -> String? {
        switch (ours, theirs) {
        case (_, is NSNull), (is NSNull, _): return nil
        case (let ours as [String: Any], let theirs as [String: Any]):
            for (key, value) in theirs {
                guard let own = ours[key] else { return "no \(place).\(key)" }
                if let difference = difference(own, value, at: "\(place).\(key)") { return difference }
            }
            return nil
        case (let ours as [Any], let theirs as [Any]):
            guard let value = theirs.first else { return nil }
            guard let own = ours.first else { return "nothing in \(place)" }
            return difference(own, value, at: place + "[]")
        case (is String, is String): return nil
        // Foundation also represents `true` and `false` as numbers.
        case (is NSNumber, is NSNumber): return nil
        default: return "another kind of value at \(place)"
        }
    }
}
