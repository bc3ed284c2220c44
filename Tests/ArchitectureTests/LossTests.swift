import TestRig
import Testing

/// Tests that each check for lost, duplicated or damaged photos has the tag `[loss]`. The gate never repeats
/// a test that fails with this tag.
@Suite(.blocking) struct LossTests {
    private static let folders = [
        "Tests/Programs/EndToEndTests", "Tests/Upload/UploadDestinationsTests",
        "Tests/Camera/CameraWorkerTests",
    ]

    /// A pattern for checks that compare photos.
    private static let photos = #"sha256|hashes\(\)|filesBelow|SamplePhotos\.(sum|names)"#

    /// The largest number of lines that the test reads for one call.
    private static let callLinesMax = 6

    /// The number of checks without the tag in a file, and the reason. Do not add entries.
    static let exceptions: [String: (count: Int, reason: String)] = [
        "Service/HookTests.swift": (1, "an environment variable of a hook"),
        "Faults/FaultTableTests.swift": (2, "a precondition: the fault changed the photo"),
        "Command/CommandDestinationTests.swift": (1, "an environment variable of a command"),
        "SFTP/SFTPFaultTests.swift": (2, "a precondition: the fault left a part"),
        "SFTP/SFTPWireTests.swift": (1, "a value: the text of a command"),
    ]

    /// Returns the text of a macro call, which may span several lines.
    ///
    /// - Parameter lines: The rest of a file, from the line with the call.
    /// - Returns: The text up to the parenthesis that closes the call, or the first ``callLinesMax`` lines.
    private static func call(_ lines: ArraySlice<String>) -> String {
        var depth = 0
        var text = ""
        for character in lines.prefix(callLinesMax).joined(separator: "\n").drop(while: { $0 != "#" }) {
            text.append(character)
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ")", depth == 0 { break }
        }
        return text
    }

    @Test func `every check for lost photos has the loss tag`() throws {
        let photos = try LinePattern(Self.photos)
        let macro = try LinePattern(#"#(expect|require)\("#)
        var found: [String: Int] = [:]
        for folder in Self.folders {
            for file in try SourceFile.all(under: folder) {
                let name = String(file.path.dropFirst(folder.count + 1))
                guard photos.matches(file.text) else { continue }
                let untagged = file.lines(matching: macro).map { $0.number - 1 }.filter { index in
                    let line = file.lines[index]
                    let starts = ["#expect(", "#require("].compactMap { line.firstRange(of: $0)?.lowerBound }
                    guard let start = starts.min() else { return false }
                    let next = file.lines[(index + 1)...].prefix(Self.callLinesMax - 1)
                    let call = Self.call([String(line[start...])] + next)
                    return photos.matches(call) && !call.contains("[loss]")
                }
                if !untagged.isEmpty { found[name] = untagged.count }
                #expect(
                    untagged.count <= Self.exceptions[name]?.count ?? 0,
                    "\(file.path), lines \(untagged.map { $0 + 1 }): begin the comment with [loss]")
            }
        }
        for (name, exception) in Self.exceptions {
            #expect(found[name] == exception.count, "\(name) has fewer untagged checks: shorten the list")
        }
    }

    @Test func `a call ends at its closing parenthesis`() {
        let lines = ["#expect(", "    a(1) == 2,", "    \"[loss] b\")", "#expect(c)"]
        #expect(Self.call(lines[...]) == "#expect(\n    a(1) == 2,\n    \"[loss] b\")")
        #expect(Self.call(lines[3...]) == "#expect(c)")
    }
}
