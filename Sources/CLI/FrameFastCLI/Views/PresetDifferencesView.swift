import FrameFastAPI
import TerminalUI

/// The changes that a preset will make on each camera, for people who start a session.
struct PresetDifferencesView: Component {
    let differences: PresetDifferences

    private var banners: [BannerView] {
        let notes = differences.rows.flatMap(Self.notes(of:))
        let cells = notes.map { Cells.width($0.word) }.max() ?? 0
        return notes.map { BannerView($0.tone, $0.word, $0.sentence, wordCells: cells) }
    }

    func lines(_ layout: Layout) -> [Line] { banners.flatMap { $0.lines(layout) } }

    func plain() -> [String] { banners.flatMap { $0.plain() } }

    /// Returns a note for each value that differs, or one note for the whole camera.
    private static func notes(
        of row: PresetDifferences.Row
    ) -> [(tone: Tone, word: String, sentence: String)] {
        switch row.answer {
        case .results(let results):
            let changes = results.filter { $0.result != .unchanged }
            guard !changes.isEmpty else {
                let word = SettingTexts.result(Word(.unchanged))
                return [(word.tone, word.word, "\(row.cameraName): it has all values of the preset")]
            }
            return changes.map { change in
                let word = SettingTexts.result(change.$result)
                return (word.tone, word.word, "\(row.cameraName): \(SettingTexts.sentence(change))")
            }
        case .failed(let reason): return [(.warning, "Unknown", "\(row.cameraName): \(reason)")]
        case .silent:
            let limit = "within \(PresetDifferences.limitSeconds) s"
            return [(.warning, "Unknown", "\(row.cameraName): no response \(limit); see the results below")]
        }
    }
}
