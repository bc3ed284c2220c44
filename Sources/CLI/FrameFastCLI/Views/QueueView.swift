import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A table of uploads, followed by the reasons why uploads wait or failed, with next steps.
struct QueueView: Presentation {
    let page: UploadsReply
    let json: Data
    /// Whether a filter hides some uploads.
    var isFiltered = false
    let now: Date

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Photo"), .init(heading: "Size", isFigure: true),
        .init(heading: "To", cellsMin: 10), .init(heading: "Camera", cellsMin: 10, dropOrder: 1),
        .init(heading: "Attempts", isFigure: true, unit: "attempts", dropOrder: 2),
        .init(heading: "Number", isFigure: true, lead: "number"),
    ]

    func lines(_ layout: Layout) -> [Line] {
        guard !page.jobs.isEmpty else {
            let view =
                isFiltered
                ? EmptyView("No upload matches.", nextStep: "See all with `framefast queue --state all`.")
                : EmptyView(
                    "Nothing left to upload.",
                    nextStep: "See delivered uploads with `framefast queue --state delivered`.")
            return view.lines(layout)
        }
        let names = CameraLabels(page.jobs.map { ($0.cameraID, $0.cameraName) })
        let rows = page.jobs.map { job in
            let state = UploadWords.job(job, now: now)
            return TableView.Row(
                state.tone,
                [
                    state.word, job.originalName, Formatted.size(job.bytes), job.destination.rawValue,
                    names.name(job.cameraName, id: job.cameraID),
                    job.attempts > 1 ? Formatted.count(job.attempts) : "", job.id.description,
                ])
        }
        var lines = TableView(columns: Self.columns, rows: rows).lines(layout)
        for group in groups {
            lines += [.empty]
            lines += GuidanceView(group.tone, group.sentence, steps: group.steps).lines(layout)
        }
        for (destination, evidence, count) in unverified {
            let sentence = "\(destination): delivered, \(evidence) (\(UploadWords.uploads(count)))"
            lines += [.empty] + GuidanceView(.neutral, sentence).lines(layout)
        }
        if let cursor = page.nextCursor { lines += [.empty] + MoreView(cursor).lines(layout) }
        return lines
    }

    func plain() -> [String] {
        guard !page.jobs.isEmpty else { return ["uploads: none"] }
        return page.jobs.flatMap { job in
            let prefix = "upload \(job.id)"
            var lines = [
                "\(prefix): \(UploadWords.job(job, now: now).word), \(TerminalText.escaped(job.path)) to "
                    + TerminalText.escaped(job.destination.rawValue)
            ]
            lines.append("\(prefix) bytes: \(job.bytesSent) of \(job.bytes)")
            if let name = job.remoteName {
                lines.append("\(prefix) remote name: \(TerminalText.escaped(name))")
            }
            if let proof = job.proof {
                let evidence = job.evidence.map { ", " + TerminalText.escaped($0) } ?? ""
                lines.append("\(prefix) verified by: \(TerminalText.escaped(proof.text))\(evidence)")
            }
            if let reason = job.reason { lines.append("\(prefix) reason: \(TerminalText.escaped(reason))") }
            if let step = job.nextStep {
                lines.append("\(prefix) next step: \(TerminalText.escaped(step))")
            }
            return lines
        } + (page.nextCursor.map { ["next cursor: \(TerminalText.escaped($0))"] } ?? [])
    }

    /// A group of uploads that wait or failed for the same reason.
    private struct Group {
        var state: UploadState
        var hold: Word<UploadHold>?
        var destination: DestinationName
        var reason: String
        var nextStep: String?
        /// The numbers of the uploads.
        var ids: [JobID]
        /// Whether the destination was removed from the configuration. If so, the group can contain uploads
        /// in different states.
        var isRemoved = false

        var tone: Tone {
            isRemoved ? .warning : state == .failed ? .danger : state == .retrying ? .warning : .neutral
        }

        var sentence: String { "\(destination): \(reason) (\(UploadWords.uploads(ids.count)))" }

        /// The maximum number of listed uploads.
        private static let numbersMax = 20

        /// The numbers of the uploads, as arguments for a command.
        private var numbers: String {
            ids.prefix(Self.numbersMax).map(\.description).joined(separator: " ")
                + (ids.count > Self.numbersMax ? " …" : "")
        }

        var steps: [String] {
            let own = nextStep.map { [$0] } ?? []
            return switch state {
            case _ where isRemoved: own
            case .failed: own + ["Run `framefast queue retry --to \(destination)`."]
            // These uploads can be released only by number.
            case .held where hold?.known == .unsorted: own + ["Upload numbers: \(numbers)."]
            case .held: own + ["Release the uploads with `framefast queue release --to \(destination)`."]
            default: own
            }
        }

        func matches(_ job: UploadJobReply) -> Bool {
            (isRemoved || (state == job.state && hold == job.hold)) && isRemoved == job.isRemoved
                && destination == job.destination && reason == job.reason && nextStep == job.nextStep
        }
    }

    /// The number of deliveries that the daemon could not verify, by destination and evidence.
    private var unverified: [(destination: DestinationName, evidence: String, count: Int)] {
        var found: [(destination: DestinationName, evidence: String, count: Int)] = []
        for job in page.jobs where job.state == .delivered && job.proof?.known == .word {
            guard let evidence = job.evidence else { continue }
            if let index = found.firstIndex(where: {
                $0.destination == job.destination && $0.evidence == evidence
            }) {
                found[index].count += 1
            } else {
                found.append((job.destination, evidence, 1))
            }
        }
        return found
    }

    private var groups: [Group] {
        var groups: [Group] = []
        for state in [UploadState.failed, .retrying, .held, .queued] {
            for job in page.jobs where job.state == state {
                // Omit the reason of a queued upload, which describes the last failed attempt, unless the
                // destination was removed.
                guard let reason = job.reason, state != .queued || job.isRemoved else { continue }
                if let index = groups.firstIndex(where: { $0.matches(job) }) {
                    groups[index].ids.append(job.id)
                } else {
                    groups.append(
                        Group(
                            state: state, hold: job.hold, destination: job.destination, reason: reason,
                            nextStep: job.nextStep,
                            ids: [job.id], isRemoved: job.isRemoved))
                }
            }
        }
        return groups
    }
}

/// The number of uploads that a verb changed.
struct UploadChangeView: ComponentPresentation {
    /// The word for the change, for example `dropped`.
    let done: String
    let reply: UploadChangeReply
    let json: Data
    /// Whether the verb adds photos to the queue. If `false`, the verb changes uploads.
    var isAddition = false

    var parts: [any Component] {
        let left = reply.leftUnsorted ?? 0
        var parts: [any Component] =
            if reply.changed > 0 {
                [BadgeView(.success, "\(UploadWords.uploads(reply.changed)) \(done)")]
            } else {
                [BadgeView(.neutral, "No upload was \(done)" + (left > 0 ? "." : ": none matched."))]
            }
        if left > 0 { parts.append(isAddition ? Self.notAdded(left) : Self.held(left)) }
        return parts
    }

    /// Returns a note about uploads that stay held after a release.
    private static func held(_ count: Int) -> GuidanceView {
        GuidanceView(
            .neutral,
            "\(UploadWords.uploads(count)) of photos from before the running session "
                + (count == 1 ? "stays held." : "stay held."),
            steps: [
                "List the uploads with `framefast queue --state held`.",
                "Release the uploads with `framefast queue release NUMBER…`.",
            ])
    }

    /// Returns a note about photos that were not added.
    private static func notAdded(_ count: Int) -> GuidanceView {
        GuidanceView(
            .neutral,
            (count == 1 ? "1 photo" : "\(count) photos") + " from before the running session "
                + (count == 1 ? "is not added." : "are not added."),
            steps: [
                "List photos with their numbers: `framefast captures`.",
                "Add the photos with `framefast queue add NUMBER… --to NAME`.",
            ])
    }

    func plain() -> [String] {
        ["uploads \(done): \(reply.changed)"]
            + (reply.leftUnsorted.map {
                [(isAddition ? "photos not added" : "uploads left held") + ", from before the session: \($0)"]
            } ?? [])
    }
}
