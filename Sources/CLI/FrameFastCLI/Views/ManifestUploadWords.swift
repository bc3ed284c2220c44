import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What the queue says of manifests that are not at their destination yet.
struct ManifestUploadWords {
    private let upload: ManifestUploadReply
    private let now: Date

    init(_ upload: ManifestUploadReply, now: Date) {
        self.upload = upload
        self.now = now
    }

    /// How many are to be sent.
    private var count: String {
        let count = upload.newest - upload.generation
        return localized(
            count, one: "\(Formatted.count(count)) manifest", other: "\(Formatted.count(count)) manifests")
    }

    var guidance: GuidanceView {
        let folder = TerminalText.escaped(upload.folder)
        guard let reason = upload.reason, upload.state == .retrying else {
            return GuidanceView(
                .neutral,
                localized("\(upload.destination): \(count) of \(folder) to upload, after the photos"))
        }
        return GuidanceView(
            .warning,
            localized(
                "\(upload.destination): \(count) of \(folder) not uploaded: \(TerminalText.escaped(reason))"),
            steps: (upload.nextStep.map { [$0] } ?? [])
                + [localized("Run `framefast queue retry --to \(upload.destination)`.")])
    }

    var plain: [String] {
        let prefix = "manifests to \(TerminalText.escaped(upload.destination.rawValue))"
        var lines = [
            "\(prefix): \(upload.state.rawValue), \(TerminalText.escaped(upload.folder))",
            "\(prefix) generations: \(upload.generation) of \(upload.newest)",
        ]
        if let reason = upload.reason { lines.append("\(prefix) reason: \(TerminalText.escaped(reason))") }
        if let step = upload.nextStep { lines.append("\(prefix) next step: \(TerminalText.escaped(step))") }
        return lines
    }
}
