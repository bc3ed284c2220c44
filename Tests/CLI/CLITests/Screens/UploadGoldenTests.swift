import Foundation
import FrameFastAPI
import SurfaceTestSupport
import TerminalUI
import Testing

@testable import FrameFastCLI

/// Tests that compare queue, destinations, mode and storage with golden files. ``GoldenTests`` explains how
/// to update the files.
@Suite struct UploadGoldenTests {
    private typealias Scene = SmallScenes.Scene

    /// Sample uploads: failures with the same reason, an upload with a long name, and a retry that is due in
    /// 18 s.
    private static let jobs: [UploadJobReply] = {
        var long = Samples.job(9, .uploading)
        long.originalName = "A very long name that some camera or person gave this photo of the wedding.NEF"
        var waiting = Samples.job(8, .retrying, to: "agency")
        waiting.retryAt = Scenes.now.addingTimeInterval(17.5)
        return [long, waiting] + Samples.jobs.filter { $0.state != .delivered }
            + [Samples.job(0, .failed, to: "agency")]
    }()

    /// Two uploads to a destination that was removed from the configuration.
    private static let orphans: [UploadJobReply] = [UploadJobReply.State.queued, .failed].enumerated().map {
        var job = Samples.job(Int64(21 - $0), $1, to: "old-nas")
        job.isRemoved = true
        job.reason = Self.removed.lastError?.sentence
        job.nextStep = Self.removed.lastError?.nextStep
        return job
    }

    private static let removed = DestinationReply(
        name: "old-nas", kind: nil, location: "", state: .removed, since: Samples.time,
        statistics: UploadStatisticsReply(queued: 1, failed: 1),
        lastError: UploadErrorReply(
            at: Samples.time, sentence: "The destination is no longer in the configuration.",
            nextStep: "Add it again under this name, or drop its uploads."))

    /// A metered, a refusing and a removed destination.
    private static let blocked: [DestinationReply] = {
        var metered = Samples.destinations[0]
        metered.state = .metered
        var refusing = Samples.destinations[1]
        refusing.state = .refusing
        return [metered, refusing, removed]
    }()

    /// A destination that refuses two features and has leftover parts.
    private static let limited: DestinationReply = {
        var reply = Samples.destinations[0]
        reply.refusedFeatures = Array(Samples.features[1].features.prefix(2))
        reply.leftovers = 3
        reply.leftoverBytes = 24_300_000
        return reply
    }()

    private static let works = DestinationTestReply(
        destination: "nas", ok: true, sentence: "The probe arrived, was verified and removed.",
        steps: ["Found /mnt/nas/photos.", "Uploaded a probe of 4 kB.", "Removed it."], tookMs: 12)

    private static let rated = ModeReply(
        mode: .rated, threshold: 3, session: 1, sessionName: "Bangkok Wedding", held: 1,
        sentence: "Photos with 3 stars or more, or protected in the camera, go out.")

    private static let scheduled = ModeReply(
        mode: .scheduled, window: "22:00-06:00", afterPhotos: 50, held: 1204,
        sentence: "Photos go out from 22:00 to 06:00, or when 50 are there.")

    private static var queue: [Scene] {
        [
            (
                "jobs", QueueView(page: .init(jobs: jobs, nextCursor: "41"), json: Data(), now: Scenes.now)
            ),
            (
                "delivered",
                QueueView(page: .init(jobs: [Samples.job(3, .delivered)]), json: Data(), now: Scenes.now)
            ),
            ("removed", QueueView(page: .init(jobs: orphans), json: Data(), now: Scenes.now)),
            ("empty", QueueView(page: .init(jobs: []), json: Data(), now: Scenes.now)),
            ("no match", QueueView(page: .init(jobs: []), json: Data(), isFiltered: true, now: Scenes.now)),
            ("dropped", UploadChangeView(done: "dropped", reply: .init(changed: 1204), json: Data())),
            ("none dropped", UploadChangeView(done: "dropped", reply: .init(changed: 0), json: Data())),
        ]
    }

    private static var places: [Scene] {
        let views: [Scene] = [
            ("destinations", DestinationsView(destinations: Samples.destinations, json: Data())),
            ("metered, refusing, removed", DestinationsView(destinations: blocked, json: Data())),
            ("no destinations", DestinationsView(destinations: [], json: Data())),
            ("test that works", DestinationTestView(reply: works, json: Data())),
            ("test that fails", DestinationTestView(reply: Samples.destinationTest, json: Data())),
            ("refused features and leftovers", DestinationsView(destinations: [limited], json: Data())),
        ]
        return views
            + Samples.features.map { kind, features -> Scene in
                var reply = works
                reply.destination = .init(rawValue: kind)
                reply.steps = []
                reply.features = features
                return ("test of \(kind)", DestinationTestView(reply: reply, json: Data()))
            }
    }

    private static var modes: [Scene] {
        [
            ("mode", ModeView(mode: Samples.mode, json: Data())),
            ("mode changed", ModeView(mode: rated, isChanged: true, json: Data())),
            ("mode without a session", ModeView(mode: scheduled, json: Data())),
        ]
    }

    private static var stores: [Scene] {
        [
            ("storage", StorageView(summary: Samples.storage, json: Data())),
            ("nothing stored", StorageView(summary: .init(), json: Data())),
            (
                "cleared",
                StorageClearView(amount: .init(files: 900, bytes: 23_400_000_000), json: Data())
            ),
            (
                "cleared, some kept",
                StorageClearView(
                    amount: .init(files: 897, bytes: 23_300_000_000, kept: 3), json: Data())
            ),
            ("nothing cleared", StorageClearView(amount: .init(), json: Data())),
        ]
    }

    static var topics: [(name: String, scenes: [SmallScenes.Scene])] {
        [
            ("queue", queue), ("destinations", places), ("mode", modes), ("storage", stores),
        ]
    }

    private static let questions = [
        ConfirmView(
            .danger, question: "Drop 1,204 uploads to nas?",
            consequence: "The photos will not be uploaded. The files stay on this computer."),
        ConfirmView(
            .danger, question: "Remove 900 files (23.4 GB) of session Bangkok Wedding from this computer?",
            consequence: "Every file was delivered to all its destinations. This cannot be undone."),
    ]

    @Test(arguments: GoldenTests.columns)
    func `upload screens match their golden files`(columns: Int) throws {
        for (topic, scenes) in Self.topics {
            try GoldenTests.expect(scenes, topic, columns: columns)
            for scene in scenes {
                let ascii = scene.view.human(Style(depth: .plain, hasUnicode: false, columns: columns))
                #expect(ascii.allSatisfy { $0.allSatisfy(\.isASCII) }, "\(topic), \(scene.name)")
            }
        }
        let questions = Self.questions.map { view -> GoldenTests.Screen in
            (name: view.question, lines: { layout in view.lines(layout) + [view.prompt(layout)] })
        }
        try GoldenTests.expect(questions, "confirm", Layout(width: columns))
    }

    @Test func `plain text of upload screens matches the golden files`() throws {
        for (topic, scenes) in Self.topics {
            let lines = scenes.flatMap { ["=== \($0.name)"] + $0.view.plain() }
            try GoldenTests.expect(lines, "\(topic).plain")
        }
    }

    @Test(arguments: [
        (Int64(0), Int64(0), 100, Tone.success), (0, 100, 0, .danger), (29, 100, 29, .danger),
        (30, 100, 30, .warning), (60, 100, 60, .info), (80, 100, 80, .success), (999, 1000, 99, .success),
        (1000, 1000, 100, .success), (Int64.max - 1, Int64.max, 99, .success),
    ])
    func `a meter shows 100 percent only if complete`(part: Int64, whole: Int64, percent: Int, tone: Tone) {
        let meter = MeterView(part: part, whole: whole, label: "uploaded")
        #expect(meter.percent == percent && meter.tone == tone)
    }

    @Test(arguments: [
        ("short.jpg", 20, "short.jpg"), ("0123456789.jpg", 9, "0123….jpg"), ("abcdef", 3, "a…f"),
        ("abcdef", 1, "…"), ("日本語の写真", 7, "日…真"),
    ])
    func `truncates a long name in the middle`(text: String, width: Int, cut: String) {
        let result = Cells.cutMiddle(text, to: width, "…")
        #expect(result == cut && Cells.width(result) <= width)
    }
}
