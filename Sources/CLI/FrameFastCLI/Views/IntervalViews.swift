import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A view of a running or ended interval.
protocol IntervalPresentation: ComponentPresentation {
    associatedtype Reply: WireValue

    init(reply: Reply, json: Data)

    var state: Word<OperationState> { get }
    /// Whether the interval ended with missing photos or with failed setting changes.
    var isIncomplete: Bool { get }
    /// Whether a camera of the group has no interval.
    var isMissingCameras: Bool { get }
    /// The progress, as a sentence.
    var sentence: String { get }
}

/// The interval of one camera, with missed and refused photos.
struct IntervalView: IntervalPresentation {
    let reply: IntervalReply
    let json: Data

    var state: Word<OperationState> { reply.$state }
    var isIncomplete: Bool {
        state.known == .ended && (reply.shot < reply.count || reply.failedSettings != nil)
    }
    var isMissingCameras: Bool { false }

    var parts: [any Component] {
        let (tone, word) = OperationView.word(state, isIncomplete: isIncomplete)
        var lines: [any Component] = [BannerView(tone, word, sentence)]
        for (name, photos) in [("Missed", reply.missed), ("Refused", reply.refused)] where !photos.isEmpty {
            lines.append(BannerView(.warning, name, Self.numbers(photos)))
        }
        // If the sentence already contains the failed change, the view does not repeat it.
        if let failed = reply.failedSettings, reply.reason?.contains(failed.reason) == false {
            lines.append(BannerView(.warning, "Not set", Self.text(of: failed)))
        }
        return lines
    }

    func plain() -> [String] {
        let prefix = "interval \(TerminalText.escaped(reply.camera.name))"
        let failed = reply.failedSettings.map {
            ["\(prefix) failed settings: \(TerminalText.escaped(Self.text(of: $0)))"]
        }
        let reason = reply.reason.map { ["\(prefix) reason: \(TerminalText.escaped($0))"] }
        return [
            "\(prefix) state: \(reply.$state)", "\(prefix) photos: \(reply.shot) of \(reply.count)",
            "\(prefix) past: \(reply.past)", "\(prefix) missed: \(Self.numbers(reply.missed))",
            "\(prefix) refused: \(Self.numbers(reply.refused))",
        ] + (failed ?? []) + (reason ?? [])
    }

    var sentence: String {
        let reason = (reply.reason ?? reply.failedSettings.map { Self.text(of: $0) }).map { ": \($0)" } ?? ""
        let photos = "\(Formatted.count(reply.shot)) of \(Formatted.count(reply.count)) photos"
        return
            "\(reply.camera.name): \(photos), at most \(Formatted.count(Int(reply.latestMs.rounded()))) ms late\(reason)"
    }

    /// Returns the first failed change and the number of further failures, for example `iso=800 for photo 2:
    /// The camera is busy. (and 3 more)`.
    private static func text(of failed: IntervalReply.FailedSettings) -> String {
        let setting = "\(failed.key)=\(failed.asked) for photo \(Formatted.count(failed.photo))"
        let more = failed.count > 1 ? " (and \(Formatted.count(failed.count - 1)) more)" : ""
        return "\(setting): \(failed.reason)\(more)"
    }

    /// Returns the numbers of photos, for example `3, 7–9`, or `none`.
    static func numbers(_ photos: [IntervalReply.Photos]) -> String {
        photos.isEmpty
            ? "none"
            : photos.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)–\($0.last)" }.joined(
                separator: ", ")
    }
}

/// The intervals of a group's cameras.
struct GroupIntervalView: IntervalPresentation {
    let reply: GroupIntervalReply
    let json: Data

    /// The combined state: the first of `running`, `failed` and `stopped` that an interval of the group has.
    /// If no interval has one of these states, `ended`. If no camera has an interval, `failed`.
    var state: Word<OperationState> {
        let states = Set(reply.cameras.map(\.state))
        for state in [OperationState.running, .failed, .stopped] where states.contains(state) {
            return Word(state)
        }
        return Word(states.isEmpty ? .failed : .ended)
    }

    var isIncomplete: Bool { state.known == .ended && cameras.contains(where: \.isIncomplete) }
    var isMissingCameras: Bool { !reply.missing.isEmpty }

    /// The progress of all cameras, for example `ring: 24 of 300 photos of 3 cameras`.
    var sentence: String {
        let shot = Formatted.count(reply.cameras.map(\.shot).reduce(0, +))
        let all = Formatted.count(reply.cameras.map(\.count).reduce(0, +))
        return "\(reply.group): \(shot) of \(all) photos of \(Formatted.cameras(reply.cameras.count))"
    }

    private var cameras: [IntervalView] { reply.cameras.map { IntervalView(reply: $0, json: json) } }

    var parts: [any Component] { cameras.flatMap(\.parts) + MissingCamera.parts(reply.missing) }

    func plain() -> [String] { cameras.flatMap { $0.plain() } + MissingCamera.plain(reply.missing) }
}
