import Foundation
import Repository
import TestRig
import Testing

/// Tests of the manual pages and completions that `command-files` writes for the package.
@Suite(.programs(1)) struct ManualTests {
    /// The folder of the generated files, next to the programs. All tests read the same files, because
    /// generating them takes seconds.
    private static let files = Task {
        let files = Programs.folder.appending(path: "manual-tests")
        try? FileManager.default.removeItem(at: files)
        let (status, output) = try await RunningProgram.run(
            Programs.path("command-files"),
            [Programs.folder.path, Repository.file("docs/config-reference.md").path, files.path],
            in: ScratchFolder())
        try #require(status == 0, "\(output)")
        return files
    }

    private let folder: ScratchFolder
    private let files: URL

    init() async throws {
        folder = try ScratchFolder()
        files = try await Self.files.value
    }

    private func path(_ name: String) -> String { files.appending(path: name).path }

    private func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    /// Returns the headings of a document in `docs`, in the notation of a manual page.
    private static func headings(_ document: String, after mark: String) throws -> [String] {
        try String(contentsOf: Repository.file("docs/\(document)"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix(mark + "`") }
            .map { String($0.dropFirst(mark.count)).replacing("`", with: "").replacing("-", with: "\\-") }
    }

    @Test func `the manual page of framefast has every verb`() throws {
        let page = try lines("framefast.1")
        let verbs = try Self.headings("command-reference.md", after: "## ")
        #expect(verbs.count > 50)
        for verb in verbs where !verbs.contains(where: { $0.hasPrefix(verb + " ") }) {
            #expect(page.contains(".SS \"\(verb)\""))
        }
    }

    @Test func `the manual page of the configuration has every key`() throws {
        let page = try lines("framefast.toml.5")
        let keys = try Self.headings("config-reference.md", after: "### ")
        #expect(keys.count > 50)
        for key in keys { #expect(page.contains(".B \(key)")) }
    }

    @Test(arguments: ["framefast.1", "framefastd.8", "framefast-simcam.1", "framefast.toml.5"])
    func `a manual page has its sections, and groff reads it without warnings`(name: String) async throws {
        let page = try lines(name)
        for section in [".SH NAME", ".SH DESCRIPTION", ".SH SEE ALSO"] { #expect(page.contains(section)) }
        if name.hasSuffix("framefastd.8") {
            #expect(page.contains("\\fB\\-\\-check\\-config\\fR") && page.contains(".BR framefast (1) ,"))
        }
        guard Self.isInstalled("groff") else { return }
        // -z: prints only warnings.
        let (_, output) = try await RunningProgram.run(
            URL(filePath: "/usr/bin/groff"), ["-man", "-ww", "-z", "-Kutf8", path(name)], in: folder)
        #expect(output == "")
    }

    @Test(arguments: [
        ("bash", "framefast.bash"), ("zsh", "_framefast"), ("fish", "framefast.fish"),
    ])
    func `the completions of every shell are valid`(shell: String, file: String) async throws {
        #expect(try lines(file).contains { $0.contains("watch") })
        guard Self.isInstalled(shell) else { return }
        let (_, output) = try await RunningProgram.run(
            URL(filePath: "/usr/bin/\(shell)"), ["-n", path(file)], in: folder)
        #expect(output == "")
    }

    @Test(arguments: [("zsh", "_framefast"), ("fish", "framefast.fish")])
    func `completions have the same texts as the help`(shell: String, file: String) throws {
        let script = try String(contentsOfFile: path(file), encoding: .utf8)
        let texts =
            shell == "fish" ? CompletionText.all(inFish: script) : CompletionText.all(inZsh: script)
        let helpOfCommands = try CommandHelpText.all()
        #expect(helpOfCommands.count > 50)
        for (command, help) in helpOfCommands {
            let found = texts.filter { $0.command == command }.map(\.text)
            #expect(found.count == help.rows, "\(command)")
            for text in found where !help.text.contains(text) {
                Issue.record("the help of \(command) does not contain: \(text)")
            }
        }
    }

    @Test(arguments: ["socket", "json", "plain", "color", "theme", "contrast"])
    func `the manual page describes a global option once, in the description`(option: String) throws {
        let page = try lines("framefast.1")
        #expect(page.contains { $0.hasPrefix("  \\-\\-\(option)") })
        #expect(!page.contains { $0.hasPrefix("\\fB\\-\\-\(option)\\fR") })
    }

    @Test(arguments: [
        (["framefast", "st"], ["status", "storage", "stack", "stop"]),
        (["framefast", "status", "--for"], ["--format"]),
        (["framefast", "status", "--format", "way"], ["waybar"]), (["framefast", "queue", "ret"], ["retry"]),
    ])
    func `bash completes commands, options and values`(words: [String], completions: [String]) async throws {
        let typed = words.map { "'\($0)'" }.joined(separator: " ")
        let program = """
            source '\(path("framefast.bash"))'
            COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(words.joined(separator: " "))'; COMP_POINT=${#COMP_LINE}
            _framefast framefast "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let (_, text) = try await RunningProgram.run(
            URL(filePath: "/bin/bash"), ["-c", program], in: folder, environment: ["LANG": "C.UTF-8"])
        #expect(text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == completions)
    }
}
