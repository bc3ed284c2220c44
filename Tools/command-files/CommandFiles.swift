import Foundation

/// Writes the manual pages and the shell completions of the package. `packaging/debian/rules` runs this
/// program.
///
///     command-files PROGRAMS REFERENCE OUTPUT
///
/// PROGRAMS is the folder of the built programs, REFERENCE is `docs/config-reference.md`, and OUTPUT is the
/// folder for the files.
@main enum CommandFiles {
    private static let programs = [("framefast", 1), ("framefastd", 8), ("framefast-simcam", 1)]
    private static let shells = [
        ("bash", "framefast.bash"), ("zsh", "_framefast"), ("fish", "framefast.fish"),
    ]

    static func main() {
        let paths = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        guard paths.count == 3 else { fail("needs PROGRAMS, REFERENCE and OUTPUT") }
        do {
            try write(programs: paths[0], reference: paths[1], to: paths[2])
        } catch {
            fail("\(error)")
        }
    }

    private static func write(programs folder: URL, reference: URL, to output: URL) throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: output.appending(path: name))
        }
        let pages = programs.map { "\($0.0)(\($0.1))" }
        for (name, section) in programs {
            let seeAlso = (pages + ["framefast.toml(5)"]).filter { !$0.hasPrefix(name + "(") }
            let command = try CommandHelp.of(folder.appending(path: name))
            try write(
                ManualPage.program(command, section: section, seeAlso: seeAlso), "\(name).\(section)")
        }
        let configuration = ManualPage.file(
            "framefast.toml", abstract: "configuration of framefastd",
            markdown: try String(contentsOf: reference, encoding: .utf8), seeAlso: pages)
        try write(configuration, "framefast.toml.5")
        for (shell, file) in shells {
            let arguments = ["--generate-completion-script", shell]
            try write(Output.of(folder.appending(path: "framefast"), arguments), file)
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("command-files: \(message)\n".utf8))
        exit(1)
    }
}
