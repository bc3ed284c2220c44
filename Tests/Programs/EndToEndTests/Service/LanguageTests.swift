import Foundation
import TestRig
import Testing

/// People read their language, programs read English.
@Suite struct LanguageTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Asks a service that is not there.
    private func framefast(_ locale: String, _ words: [String]) async throws -> (
        status: Int32, output: String
    ) {
        let arguments =
            ["LC_ALL=\(locale)", Programs.path("framefast").path, "--socket", folder.path("none")] + words
        let run = try await RunningProgram.run(URL(filePath: "/usr/bin/env"), arguments, in: folder)
        return (run.status, run.output)
    }

    @Test(arguments: [
        ("C.UTF-8", "framefastd is not running"), ("de_DE.UTF-8", "framefastd läuft nicht"),
        ("th_TH.UTF-8", "framefastd ไม่ได้ทำงาน"), ("fr_FR.UTF-8", "framefastd is not running"),
    ])
    func `people read why in their language`(locale: String, text: String) async throws {
        for words in [["status"], ["status", "--format", "waybar"], ["cameras"]] {
            let run = try await framefast(locale, words)
            #expect(run.output.contains(text), "\(words): \(run.output)")
        }
    }

    @Test(
        arguments: ["de_DE.UTF-8", "th_TH.UTF-8"],
        [["status", "--json"], ["--plain", "status"], ["--json", "queue"], ["status", "--help"]])
    func `what programs read is the same in every language`(locale: String, words: [String]) async throws {
        let (english, translated) = (
            try await framefast("C.UTF-8", words), try await framefast(locale, words)
        )
        #expect(translated == english)
        #expect(translated.status == (words == ["status", "--help"] ? 0 : 3))
    }
}
