import FrameFastModel
import Store
import Synchronization
import Testing

@testable import UploadEngine

/// A condition about uploads and one of its next steps.
struct AdviceRow: CustomTestStringConvertible, Sendable {
    typealias Step = @Sendable (AdviceFixture, UploadService) async throws -> Void

    var testDescription: String
    var kind: ConditionKind
    /// Text that the next step contains.
    var advice: String
    /// The hold reason that this row covers, or `nil`. Together, the rows cover every hold reason.
    var hold: UploadHold?
    var reason: UploadFailure.Reason?
    /// Whether the destination is configured.
    var isConfigured = true
    /// Prepares the condition before the service starts.
    var prepare: @Sendable (AdviceFixture) async throws -> Void
    /// Raises the condition while the service runs. Does nothing if the preparation already raised it.
    var cause: Step = { _, _ in }
    /// Performs the next step, as a person would.
    var follow: Step

    init(
        _ kind: ConditionKind, _ name: String, _ advice: String,
        prepare: @escaping @Sendable (AdviceFixture) async throws -> Void, follow: @escaping Step
    ) {
        testDescription = "\(kind.rawValue): \(name)"
        self.kind = kind
        self.advice = advice
        self.prepare = prepare
        self.follow = follow
    }

    private func about(_ reason: UploadFailure.Reason) -> AdviceRow {
        var row = self
        row.reason = reason
        return row
    }

    private func about(_ hold: UploadHold) -> AdviceRow {
        var row = self
        row.hold = hold
        return row
    }

    private func causing(_ cause: @escaping Step) -> AdviceRow {
        var row = self
        row.cause = cause
        return row
    }

    private var withoutDestination: AdviceRow {
        var row = self
        row.isConfigured = false
        return row
    }

    static let all: [AdviceRow] = [away, refusing, removed, retried, dropped, files, held].flatMap(\.self)

    private static let away: [AdviceRow] = [
        AdviceRow(.destinationAway, "it is back", "resume automatically") {
            try await $0.save(["1.jpg", "2.jpg", "3.jpg"])
            $0.place.setBehavior(.away)
        } follow: { fixture, _ in
            fixture.place.setBehavior(.works)
        },
        AdviceRow(.destinationMetered, "the network is not metered", "uploads resume on an unmetered network")
        {
            try await $0.save()
            $0.isMetered.withLock { $0 = true }
        } follow: { fixture, _ in
            fixture.isMetered.withLock { $0 = false }
        },
        AdviceRow(.uploadsRepeating, "the failures end", "retries automatically") {
            try await $0.save(["1.jpg", "2.jpg", "3.jpg", "4.jpg"])
            $0.fail(.transient)
        } follow: { fixture, _ in
            fixture.place.setBehavior(.works)
        },
        AdviceRow(.uploadsRepeating, "the photo is delivered", "check this file") {
            try await $0.save(["1.jpg", "2.jpg"])
            $0.place.fail("1.jpg", UploadFailure(.transient, "It says no."))
        } follow: { fixture, _ in
            fixture.place.fail("1.jpg", nil)
        },
        AdviceRow(.photosUnreadable, "the photos are back", "put the photos back") {
            try await $0.save()
            try $0.movePhotosAway()
        } follow: { fixture, _ in
            try fixture.putPhotosBack()
        },
    ]

    /// Reasons for which a destination refuses every photo. A person fixes the cause.
    static let refusingReasons: [UploadFailure.Reason] = [
        .unauthorised, .untrusted, .misconfigured, .full, .forbidden, .notFound, .conflict,
    ]

    private static let refusing: [AdviceRow] = refusingReasons.flatMap { (reason) -> [AdviceRow] in
        [
            AdviceRow(.destinationAway, "\(reason.rawValue), corrected", "Uploads resume automatically") {
                try await $0.save()
                $0.fail(.permanent(reason))
            } follow: { fixture, _ in
                fixture.place.setBehavior(.works)
            }
            .about(reason),
            AdviceRow(.destinationAway, "\(reason.rawValue), resumed", "framefast queue resume nas") {
                try await $0.save()
                $0.fail(.permanent(reason))
            } follow: { fixture, service in
                fixture.place.setBehavior(.works)
                try await fixture.resume(service)
            }
            .about(reason),
        ]
    }

    private static let removed: [AdviceRow] = [
        AdviceRow(.destinationRemoved, "put back", "Add the destination again under this name") {
            try await $0.save()
            try await $0.queue()
        } follow: {
            try await $0.putBackDestination($1)
        }
        .withoutDestination,
        AdviceRow(.destinationRemoved, "dropped", "framefast queue drop --to nas") {
            try await $0.save()
            try await $0.queue()
        } follow: {
            try await $0.drop($1)
        }
        .withoutDestination,
    ]

    /// Reasons for which one photo fails, and succeeds after a retry.
    static let retriedReasons: [UploadFailure.Reason] = [.forbidden, .notFound, .conflict, .tooLarge]

    private static let retried: [AdviceRow] = retriedReasons.map { (reason) -> AdviceRow in
        AdviceRow(.uploadFailed, "\(reason.rawValue), retried", "then retry") {
            try await $0.save(["1.jpg", "2.jpg"])
            $0.refuse("1.jpg", reason)
        } follow: { fixture, service in
            fixture.place.fail("1.jpg", nil)
            try await fixture.retry(service)
        }
        .about(reason)
    }

    private static let dropped: [AdviceRow] = [
        AdviceRow(.uploadFailed, "too large, dropped", "or drop the upload") {
            try await $0.save(["1.jpg", "2.jpg"])
            $0.refuse("1.jpg", .tooLarge)
        } follow: {
            try await $0.drop($1)
        },
        AdviceRow(.uploadFailed, "unprocessable, dropped", "Drop the upload") {
            try await $0.save(["1.jpg", "2.jpg"])
            $0.refuse("1.jpg", .unprocessable)
        } follow: {
            try await $0.drop($1)
        }
        .about(.unprocessable),
    ]

    private static let files: [AdviceRow] = [
        AdviceRow(
            .uploadFailed, "file gone, brought back", "FrameFast uploads a restored file automatically"
        ) {
            try await $0.save(["1.jpg", "2.jpg"])
            try await $0.moveAway("1.jpg")
        } follow: { fixture, _ in
            try await fixture.bringBack("1.jpg")
        }
        .about(.fileGone),
        AdviceRow(.uploadFailed, "file gone, dropped", "or drop the upload") {
            try await $0.save(["1.jpg", "2.jpg"])
            try await $0.moveAway("1.jpg")
        } follow: {
            try await $0.drop($1)
        },
        AdviceRow(.uploadFailed, "edited file is uploaded again", "framefast queue add") {
            try await $0.save(["1.xmp"])
            try await $0.edit("1.xmp")
        } follow: {
            try await $0.add($1)
        }
        .about(.fileChanged),
        AdviceRow(.uploadFailed, "file edited, brought back", "restore its file and retry") {
            try await $0.save(["1.xmp"])
            try await $0.edit("1.xmp")
        } follow: { fixture, service in
            try await fixture.bringBack("1.xmp")
            try await fixture.retry(service)
        },
    ]

    private static let held: [AdviceRow] = [
        AdviceRow(.uploadHeld, "by a person, released", "Release the photo") {
            try await $0.save()
            $0.place.setBehavior(.hangs)
        } follow: { fixture, service in
            fixture.place.setBehavior(.works)
            try await fixture.release(service)
        }
        .causing { fixture, service in
            await fixture.place.calls.wait { $0.starts > 0 }
            _ = try await service.hold(UploadFilter())
        }
        .about(.person),
        AdviceRow(.uploadHeld, "offline, released", "Release the photos") {
            try await $0.save(mode: .offline)
        } follow: {
            try await $0.release($1)
        }
        .about(.offline),
        AdviceRow(.uploadHeld, "offline, switched", "switch the session to another mode") {
            try await $0.save(mode: .offline)
        } follow: {
            try await $0.switchSession($1, to: .realtime)
        },
        AdviceRow(.uploadHeld, "manual, added", "Add the photos") {
            try await $0.save(mode: .manual)
        } follow: {
            try await $0.add($1)
        }
        .about(.manual),
        AdviceRow(.uploadHeld, "unrated, released", "Release the photo") {
            try await $0.save(mode: .rated) { _ in ModeTests.jpeg(0) }
        } follow: {
            try await $0.release($1)
        }
        .about(.unrated),
        AdviceRow(.uploadHeld, "rejected, released", "Release the photo to upload it anyway") {
            try await $0.save(mode: .rated)
            try await $0.rate(pick: false)
        } follow: {
            try await $0.release($1)
        }
        .about(.rejected),
        AdviceRow(.uploadHeld, "rejected, rated", "remove the rejection with 'framefast rate'") {
            try await $0.save(mode: .rated)
            try await $0.rate(pick: false)
        } follow: { fixture, service in
            try await fixture.rate(stars: 5)
            await service.opinionsChanged()
        },
        AdviceRow(.uploadHeld, "RAW first, no action", "No action is needed") {
            try await $0.save(["1.jpg", "1.cr3"], mode: .jpegFirst)
            $0.place.setBehavior(.away)
        } follow: { fixture, _ in
            fixture.place.setBehavior(.works)
        }
        .about(.jpegFirst),
        AdviceRow(.uploadHeld, "RAW first, released", "Release the photos to upload them now") {
            try await $0.save(["1.jpg", "1.cr3"], mode: .jpegFirst)
            $0.place.setBehavior(.away)
        } follow: { fixture, service in
            try await fixture.release(service)
        },
        AdviceRow(.uploadHeld, "scheduled, no action", "No action is needed") {
            try await $0.save(mode: .scheduled)
        } follow: { fixture, _ in
            fixture.rig.time.set(minuteOfDay: 22 * 60)
        }
        .about(.scheduled),
        AdviceRow(.uploadHeld, "unsorted, released", "framefast queue release NUMBER…") {
            try await $0.save(isUnsorted: true)
        } follow: {
            try await $0.releaseEach($1)
        }
        .about(.unsorted),
        AdviceRow(
            .uploadHeld, "unsorted and offline, released",
            "'framefast queue release' releases only the other 2 photos."
        ) {
            try await $0.save(["1.jpg"], isUnsorted: true)
            try await $0.save(["2.jpg", "3.jpg"], mode: .offline)
        } follow: { fixture, service in
            #expect(try await service.release(UploadFilter()) == 2)
            try await fixture.releaseEach(service)
        },
        AdviceRow(.uploadHeld, "unsorted, dropped", "framefast queue drop") {
            try await $0.save(isUnsorted: true)
        } follow: {
            try await $0.drop($1)
        },
    ]
}
