import Foundation
import SurfaceTestSupport
import TestRig
import Testing

/// Tests of `scripts/release` in a temporary repository: the changes that a release makes, and the reasons to
/// refuse a release.
@Suite(.programs(1)) struct ReleaseTests {
    private static let version = "Sources/API/FrameFastAPI/ProductVersion.swift"

    /// A git repository with this changelog and version 0.1.0.
    private struct Repository {
        let folder: ScratchFolder

        init(changelog: String = "# Changelog\n\n## Unreleased\n\n- A photo is safe.\n") async throws {
            folder = try ScratchFolder()
            for path in ["scripts/release", ReleaseTests.version] {
                try write(DocumentFile(path).text(), to: path)
            }
            try write("    public static let current = \"0.1.0\"\n", to: ReleaseTests.version)
            try write(changelog, to: "CHANGELOG.md")
            for arguments in [["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "All"]] {
                #expect(try await git(arguments).status == 0)
            }
        }

        func write(_ text: String, to path: String) throws {
            let file = folder.url.appending(path: "repository/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.url.appending(path: "repository/\(path)"), encoding: .utf8)
        }

        @discardableResult
        func git(_ arguments: [String]) async throws -> (status: Int32, output: String) {
            try await run("/usr/bin/git", ["-C", folder.path("repository")] + arguments)
        }

        func release(_ arguments: String...) async throws -> (status: Int32, output: String) {
            try await run("/bin/bash", [folder.path("repository/scripts/release")] + arguments)
        }

        private func run(_ program: String, _ arguments: [String]) async throws -> (
            status: Int32, output: String
        ) {
            let person = ["NAME": "Ann", "EMAIL": "ann@example.org"]
            let roles = ["GIT_AUTHOR_", "GIT_COMMITTER_"]
            let environment = roles.flatMap { role in person.map { (role + $0.key, $0.value) } }
            return try await RunningProgram.run(
                URL(filePath: program), arguments, in: folder,
                environment: Dictionary(uniqueKeysWithValues: environment))
        }
    }

    @Test func `a release sets the version, changelog section, commit and tag`() async throws {
        let repository = try await Repository()
        let (status, output) = try await repository.release("0.2.0", "--no-build")
        #expect(status == 0, "\(output)")
        #expect(try repository.text(Self.version).contains("current = \"0.2.0\""))
        let changelog = try repository.text("CHANGELOG.md")
        #expect(
            changelog.contains(/## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- A photo is safe\.\n/))
        #expect(try await repository.git(["status", "--porcelain"]).output.isEmpty)
        let tag = try await repository.git(["tag", "-n9", "--list", "v0.2.0"]).output
        #expect(tag.contains("0.2.0") && tag.contains("- A photo is safe."))
    }

    @Test(arguments: Tier.rows(["../0.2.0", "v0.2.0", "2", "0.2", "0.2.0 beta", "0.02.0"], gate: 2))
    func `refuses to release a malformed version`(version: String) async throws {
        try await expectRefusal(of: version, in: Repository(), saying: "is not a version")
    }

    @Test func `refuses to release twice, with uncommitted work, without notes or off main`() async throws {
        let empty = try await Repository(changelog: "# Changelog\n\n## Unreleased\n\n## 0.1.0\n\n- Old.\n")
        try await expectRefusal(of: "0.2.0", in: empty, saying: "has nothing under")
        let dirty = try await Repository()
        try dirty.write("half", to: "note")
        try await expectRefusal(of: "0.2.0", in: dirty, saying: "uncommitted")
        let released = try await Repository()
        try await released.git(["tag", "v0.2.0"])
        try await expectRefusal(of: "0.2.0", in: released, saying: "released already")
        let aside = try await Repository()
        try await aside.git(["checkout", "-qb", "aside"])
        try await expectRefusal(of: "0.2.0", in: aside, saying: "'aside'")
    }

    private func expectRefusal(of version: String, in repository: Repository, saying words: String)
        async throws
    {
        let (status, output) = try await repository.release(version, "--no-build")
        #expect(status != 0 && output.contains(words), "\(output)")
        #expect(try repository.text(Self.version).contains("0.1.0"))
        #expect(try await repository.git(["rev-list", "--count", "HEAD"]).output.hasPrefix("1"))
    }
}
