import Foundation
import FrameFastModel
import Testing

/// Tests of the opinions on a shot: its rating, the effect on uploads, and the source of its picture.
@Suite struct OpinionTests {
    private static let start = Date(timeIntervalSince1970: 1_795_271_130)

    static func opinion(
        _ stars: Int? = nil, pick: Bool? = nil, comment: String? = nil, _ author: String = "Anna",
        _ role: WebRole = .client, after seconds: Double = 0
    ) -> Opinion {
        Opinion(
            stars: stars, pick: pick, comment: comment, author: author, authorKey: author, role: role,
            at: start.addingTimeInterval(seconds))
    }

    struct Verdict: Sendable {
        var camera: [Int?] = []
        var opinions: [Opinion] = []
        var stars = 0
        var pick: Bool?
        var isRejected = false
    }

    @Test(arguments: [
        Verdict(),
        Verdict(camera: [nil, 0]), Verdict(camera: [-1]), Verdict(camera: [-1, 2], stars: 2),
        Verdict(camera: [3], opinions: [opinion(1)], stars: 3),
        Verdict(camera: [1], opinions: [opinion(4), opinion(2, "Eva", .owner)], stars: 4),
        Verdict(camera: [-1], opinions: [opinion(5)], stars: 5),
        Verdict(camera: [9], stars: 5),
        Verdict(opinions: [opinion(pick: true)], pick: true),
        Verdict(opinions: [opinion(pick: false)], pick: false),
        Verdict(opinions: [opinion(pick: false), opinion(pick: true, "Bo")], pick: true),
        Verdict(opinions: [opinion(5, pick: false)], stars: 5, pick: false),
        Verdict(
            opinions: [opinion(5, pick: true), opinion(pick: false, "Eva", .owner)], stars: 5, pick: false,
            isRejected: true),
        Verdict(
            opinions: [opinion(pick: true, "Max", .owner), opinion(pick: false, "Eva", .owner)], pick: false,
            isRejected: true),
        Verdict(opinions: [opinion(pick: false), opinion(pick: true, "Eva", .owner)], pick: true),
    ])
    func `a shot has the highest stars, and an owner's reject overrides picks`(row: Verdict) {
        let verdict = ShotVerdict(cameraRatings: row.camera, opinions: row.opinions)
        #expect(verdict.stars == row.stars && verdict.pick == row.pick)
        #expect(verdict.isRejectedByOwner == row.isRejected)
    }

    @Test(
        arguments: [
            (3, false, nil, nil, .queued(priority: 0)),
            (2, false, nil, nil, .held(.unrated)), (2, false, 3, nil, .queued(priority: 0)),
            (5, true, nil, nil, .held(.rejected)), (0, true, 5, true, .held(.rejected)),
            (0, false, nil, true, .queued(priority: 0)),
        ] as [(Int, Bool, Int?, Bool?, UploadDecision)])
    func `mode rated queues shots with enough stars and without an owner's reject`(
        stars: Int, isRejected: Bool, ownRating: Int?, isProtected: Bool?, decision: UploadDecision
    ) {
        let photo = Photo.sample(rating: ownRating, isProtected: isProtected).record
        let opinions =
            [Self.opinion(stars)] + (isRejected ? [Self.opinion(pick: false, "Eva", .owner)] : [])
        let verdict = ShotVerdict(opinions: opinions)
        let policy = UploadModePolicy(minimumRating: 3)
        #expect(policy.decision(.rated, on: photo, verdict: verdict, minuteOfDay: 0) == decision)
        #expect(
            policy.decision(.realtime, on: photo, verdict: verdict, minuteOfDay: 0) == .queued(priority: 0))
    }

    @Test(
        arguments: [
            (.realtime, 5, false, nil, nil), (.realtime, 2, false, nil, .held(.unrated)),
            (.realtime, 5, true, nil, .held(.rejected)),
            (.realtime, 5, false, .rejected, .released(byPerson: false)),
            (.offline, 5, false, .rejected, .held(.offline)), (.offline, 5, true, .offline, .held(.rejected)),
            (.realtime, 0, true, .person, nil),
        ] as [(UploadMode, Int, Bool, UploadHold?, UploadJob.Event?)])
    func `a destination's minimum rating applies in every mode`(
        mode: UploadMode, stars: Int, isRejected: Bool, hold: UploadHold?, event: UploadJob.Event?
    ) {
        var verdict = ShotVerdict()
        (verdict.stars, verdict.isRejectedByOwner) = (stars, isRejected)
        let job = UploadJobTests.job(hold == nil ? .queued : .held, hold: hold)
        let change = UploadModePolicy().change(
            of: job, to: mode, photo: Photo.sample().record, verdict: verdict, destinationRating: 3,
            minuteOfDay: 0)
        #expect(change == event)
    }

    @Test
    func `removing a reject releases only jobs that the reject held`() {
        let policy = UploadModePolicy(minimumRating: 3)
        let photo = Photo.sample().record
        let rejected = ShotVerdict(opinions: [Self.opinion(5), Self.opinion(pick: false, "Eva", .owner)])
        let rated = ShotVerdict(opinions: [Self.opinion(5)])
        func event(_ hold: UploadHold?, _ verdict: ShotVerdict) -> UploadJob.Event? {
            let job = UploadJobTests.job(hold == nil ? .queued : .held, hold: hold)
            return policy.change(of: job, to: .rated, photo: photo, verdict: verdict, minuteOfDay: 0)
        }
        #expect(event(nil, rejected) == .held(.rejected))
        #expect(event(.unrated, rejected) == .held(.rejected))
        #expect(event(.rejected, rejected) == nil)
        #expect(event(.rejected, rated) == .released(byPerson: false))
        #expect(event(.person, rated) == nil)
    }

    @Test func `keeps the newest opinion of each author and drops empty opinions`() {
        let opinions = [
            Self.opinion(1, "Anna", after: 1), Self.opinion(5, "Anna", after: 2),
            Self.opinion(2, "Anna", .owner, after: 3), Self.opinion(3, "Bo", after: 0),
            Self.opinion(nil, "Bo", after: 4),
        ]
        let newest = Opinion.newest(of: opinions.reversed())
        #expect(newest == [opinions[1], opinions[2]])
    }

    private static func file(
        _ name: String, isCleared: Bool = false, preview: PreviewRecord.State? = nil,
        state: CaptureRecord.State = .saved
    ) -> ShotOverview.File {
        ShotOverview.File(
            id: 1, name: name, state: state, sha256: state == .saved ? name : nil, isCleared: isCleared,
            preview: preview.map { PreviewRecord(sha256: name, state: $0) })
    }

    @Test(
        arguments: [
            ([file("a.jpg"), file("a.nef")], "a.nef"), ([file("a.nef"), file("a.jpg")], "a.nef"),
            ([file("a.jpg"), file("a.nef", preview: .missing)], "a.jpg"),
            ([file("a.jpg"), file("a.nef", isCleared: true)], "a.jpg"),
            ([file("a.jpg", isCleared: true), file("a.nef", isCleared: true)], "a.nef"),
            ([file("a.jpg"), file("a.nef", state: .setAside)], "a.jpg"),
            ([file("a.wav"), file("a.mov")], nil), ([], nil),
        ] as [([ShotOverview.File], String?)])
    func `prefers a RAW file with a usable preview for a shot's picture`(
        files: [ShotOverview.File], source: String?
    ) {
        let shot = ShotOverview(id: 1, bodyID: "a", detectedAt: Self.start, files: files)
        #expect(shot.pictureSource?.name == source && shot.revision == source)
    }
}
