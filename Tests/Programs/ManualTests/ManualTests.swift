import Foundation
import Repository
import SurfaceTestSupport
import TestRig
import Testing

/// Manual pages and completions, made of the same definitions as the parsers:
/// `FRAMEFAST_WRITE_DOCS=1 swift test --filter ManualTests` writes them anew.
@Suite(.serialized, .programs(1)) struct ManualTests {
    private static func expect(_ text: String, _ path: String) throws {
        let golden = try DocumentFile(path).text(writing: text)
        #expect(golden == text, "\(path): write it with FRAMEFAST_WRITE_DOCS=1")
    }

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    private static let root = Repository.root

    private static let pages = [
        "framefast(1)", "framefastd(8)", "framefast-simcam(1)", "framefast.toml(5)",
    ]

    @Test(arguments: [("framefast", 1), ("framefastd", 8), ("framefast-simcam", 1)])
    func `every program has its manual`(name: String, section: Int) throws {
        let command = try CommandHelp.of(Programs.path(name))
        let page = ManualPage.program(
            command, section: section, seeAlso: Self.pages.filter { !$0.hasPrefix(name + "(") })
        try Self.expect(page, "docs/man/\(name).\(section)")
    }

    @Test func `the configuration has its manual`() throws {
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
    func `the manual is good roff`(name: String) throws {
        let path = Self.root.appending(path: "docs/man/\(name)").path
        // -z: no output but what is wrong.
        #expect(try Output.of(URL(filePath: "/usr/bin/groff"), ["-man", "-ww", "-z", "-Kutf8", path]) == "")
    }

    @Test(arguments: [
        ("bash", "framefast.bash"), ("zsh", "_framefast"), ("fish", "framefast.fish"),
    ])
    func `every shell has its completions`(shell: String, file: String) throws {
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
    func `bash completes what is typed`(words: [String], completions: [String]) throws {
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
