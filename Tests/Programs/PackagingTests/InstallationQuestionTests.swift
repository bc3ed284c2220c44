import Foundation
import SurfaceTestSupport
import TestRig
import Testing

/// The package's one question, by debconf itself and the maintainer's scripts, with folders of the test's own.
@Suite(
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/debconf"),
        "debconf is missing (apt-get install debconf)"))
struct InstallationQuestionTests {
    private static let question = "framefast/exclusive-cameras"
    private static let shell = URL(filePath: "/bin/sh")

    private let folder: ScratchFolder
    private let rule: String
    private let shipped: String

    init() async throws {
        folder = try ScratchFolder()
        rule = folder.path("rules.d/99-framefast-exclusive.rules")
        shipped = folder.path("shipped.rules")
        try DocumentFile("udev/99-framefast-exclusive.rules").text()
            .write(toFile: shipped, atomically: true, encoding: .utf8)
        // A database of the test's own in place of the computer's.
        try """
        Config: answers
        Templates: templates

        Name: answers
        Driver: File
        Filename: \(folder.path("answers.dat"))

        Name: templates
        Driver: File
        Filename: \(folder.path("templates.dat"))

        """.write(toFile: folder.path("debconf.conf"), atomically: true, encoding: .utf8)
        for name in ["config", "postinst", "postrm"] {
            try DocumentFile("packaging/debian/framefast.\(name)").text()
                .replacing("/etc/udev/rules.d", with: folder.path("rules.d"))
                .replacing("/usr/share/framefast/udev/99-framefast-exclusive.rules", with: shipped)
                // No udev of this computer is asked anything.
                .replacing("/run/udev", with: folder.path("no-udev"))
                .replacing("/var/lib/framefast", with: folder.path("state"))
                .replacing("/etc/framefast", with: folder.path("etc"))
                .replacing("/var/log/framefast", with: folder.path("log"))
                .write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        // What po-debconf makes of it, without translations.
        try DocumentFile("packaging/debian/framefast.templates").text()
            .replacing("_Description", with: "Description")
            .write(toFile: folder.path("templates"), atomically: true, encoding: .utf8)
        let load = "X_LOADTEMPLATEFILE \(folder.path("templates")) framefast"
        let said = try await run("echo '\(load)' | debconf-communicate framefast")
        #expect(said == "0\n", "\(said)")
    }

    @discardableResult
    private func run(_ command: String, _ environment: [String: String] = [:]) async throws -> String {
        let (status, output) = try await RunningProgram.run(
            Self.shell, ["-c", command], in: folder,
            environment: [
                "DEBCONF_SYSTEMRC": folder.path("debconf.conf"), "DEBIAN_FRONTEND": "noninteractive",
            ].merging(environment) { $1 })
        #expect(status == 0, "\(command): \(output)")
        return output
    }

    private func answer(_ value: String) async throws {
        try await run("echo 'framefast \(Self.question) boolean \(value)' | debconf-set-selections")
    }

    /// What dpkg runs, with the version that was there before.
    private func configure(from version: String = "") async throws {
        for script in ["config", "postinst"] {
            try await run("debconf -oframefast sh '\(folder.path(script))' configure '\(version)'")
        }
    }

    /// What dpkg-reconfigure runs.
    private func reconfigure() async throws {
        try await run("debconf -oframefast sh '\(folder.path("config"))' reconfigure 0.1.0")
        try await run(
            "debconf -oframefast sh '\(folder.path("postinst"))' configure 0.1.0",
            ["DEBCONF_RECONFIGURE": "1"])
    }

    private var isExclusive: Bool { FileManager.default.fileExists(atPath: rule) }

    @Test func `where nobody answers, the desktop keeps its cameras`() async throws {
        try await configure()
        #expect(!isExclusive)
    }

    @Test func `an answer from before the installation counts, upgrades leave it, and a purge undoes it`()
        async throws
    {
        try await answer("true")
        try await configure()
        #expect(isExclusive)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: rule) == shipped)
        try await configure(from: "0.1.0")
        #expect(isExclusive)
        try await run("sh '\(folder.path("postrm"))' remove")
        #expect(isExclusive)
        try await run("sh '\(folder.path("postrm"))' purge")
        #expect(!isExclusive)
    }

    @Test func `what an administrator removed stays away at the next upgrade`() async throws {
        try await answer("true")
        try await configure()
        try FileManager.default.removeItem(atPath: rule)
        try await configure(from: "0.1.0")
        #expect(!isExclusive)
    }

    @Test func `the answer can be changed later, both ways`() async throws {
        try await configure()
        try await answer("true")
        try await reconfigure()
        #expect(isExclusive)
        try await answer("false")
        try await reconfigure()
        #expect(!isExclusive)
    }

    @Test(arguments: [(true, false), (false, true)])
    func `a copy of the rule goes with a no, and a rule that somebody wrote stays`(isCopy: Bool, stays: Bool)
        async throws
    {
        let text = try String(contentsOfFile: shipped, encoding: .utf8)
        try FileManager.default.createDirectory(
            atPath: folder.path("rules.d"), withIntermediateDirectories: true)
        try (isCopy ? text : "# our own\n").write(toFile: rule, atomically: true, encoding: .utf8)
        try await configure()
        #expect(isExclusive == stays)
        try await answer("true")
        try await reconfigure()
        #expect(isExclusive)
        try await run("sh '\(folder.path("postrm"))' purge")
        #expect(isExclusive == stays)
    }

    @Test func `a person is asked at medium priority, in a language of theirs once there is one`() throws {
        #expect(
            try DocumentFile("packaging/debian/framefast.config").text()
                .contains("db_input medium \(Self.question)"))
        let template = try DocumentFile("packaging/debian/framefast.templates").text()
        #expect(template.contains("Template: \(Self.question)\n") && template.contains("\n_Description: "))
        #expect(
            try DocumentFile("packaging/debian/po/POTFILES.in").text().contains("framefast.templates"))
        // What translators get is what people read.
        let short = try #require(template.firstMatch(of: #/_Description: (?<text>.*)/#)).text
        #expect(try DocumentFile("packaging/debian/po/templates.pot").text().contains("msgid \"\(short)\""))
    }
}
