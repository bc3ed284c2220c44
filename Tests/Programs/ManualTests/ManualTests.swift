import Foundation
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Manual pages and completions, generated from the parsers' definitions. `scripts/docs` updates them.
@Suite(.serialized, .programs(1)) struct ManualTests {
    private static func expect(_ text: String, _ path: String) throws {
        let golden = try DocumentFile(path).text(writing: text)
        #expect(golden == text, "\(path): write it with scripts/docs")
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private static let root = Repository.root

    private static let pages = [
        "framefast(1)", "framefastd(8)", "framefast-simcam(1)", "framefast.toml(5)",
    ]

    @Test(arguments: [("framefast", 1), ("framefastd", 8), ("framefast-simcam", 1)])
    func `the manual page of every program is up to date`(name: String, section: Int) throws {
        let command = try CommandHelp.of(Programs.path(name))
        let page = ManualPage.program(
            command, section: section, seeAlso: Self.pages.filter { !$0.hasPrefix(name + "(") })
        try Self.expect(page, "docs/man/\(name).\(section)")
    }

    @Test func `the manual page of the configuration is up to date`() throws {
        let reference = try String(
            contentsOf: Self.root.appending(path: "docs/config-reference.md"), encoding: .utf8)
        let page = ManualPage.file(
            "framefast.toml", abstract: "configuration of framefastd", markdown: reference,
            seeAlso: Array(Self.pages.prefix(3)))
        try Self.expect(page, "docs/man/framefast.toml.5")
    }

    @Test(
        .enabled(if: isInstalled("groff"), "needs groff"),
        arguments: ["framefast.1", "framefastd.8", "framefast-simcam.1", "framefast.toml.5"])
    func `groff reads the manual page without warnings`(name: String) throws {
        let path = Self.root.appending(path: "docs/man/\(name)").path
        // -z: prints only warnings.
        #expect(try Output.of(URL(filePath: "/usr/bin/groff"), ["-man", "-ww", "-z", "-Kutf8", path]) == "")
    }

    @Test(arguments: [
        ("bash", "framefast.bash"), ("zsh", "_framefast"), ("fish", "framefast.fish"),
    ])
    func `the completions of every shell are up to date and valid`(shell: String, file: String) throws {
        let script = try Output.of(Programs.path("framefast"), ["--generate-completion-script", shell])
        #expect(script.contains("watch"))
        try Self.expect(script, "docs/completions/\(file)")
        guard Self.isInstalled(shell) else { return }
        let path = Self.root.appending(path: "docs/completions/\(file)").path
        #expect(try Output.of(URL(filePath: "/usr/bin/\(shell)"), ["-n", path]) == "")
    }

    @Test(arguments: [
        (["framefast", "st"], ["status", "storage", "stack", "stop"]),
        (["framefast", "status", "--for"], ["--format"]),
        (["framefast", "status", "--format", "way"], ["waybar"]), (["framefast", "queue", "ret"], ["retry"]),
    ])
    func `bash completes commands, options and values`(words: [String], completions: [String]) throws {
        let script = Self.root.appending(path: "docs/completions/framefast.bash").path
        let typed = words.map { "'\($0)'" }.joined(separator: " ")
        let program = """
            source '\(script)'
            COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count - 1)
            COMP_LINE='\(words.joined(separator: " "))'; COMP_POINT=${#COMP_LINE}
            _framefast framefast "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let text = try Output.of(URL(filePath: "/bin/bash"), ["-c", program])
        #expect(text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == completions)
    }
}
