import Testing

@testable import CameraWorker
@testable import FrameFastModel
@testable import GPhoto2

/// Tests of the order and the outcomes of changes.
@Suite struct SettingsWritingTests {
    private static func writing(_ names: String...) -> SettingsWriting {
        SettingsWriting(
            id: 1, CameraSettingsCommand(names.map { CameraSettingChange(name: $0, value: "1") }), at: .start)
    }

    @Test func `changes each setting before its dependent settings`() {
        var writing = Self.writing("evstep", "shutter", "iso", "mode", "white_balance", "iso")
        var order: [String] = []
        while let change = writing.change {
            order.append(change.name)
            writing.finishChange(.set)
        }
        #expect(order == ["mode", "white_balance", "iso", "iso", "shutter", "evstep"])
        #expect(
            writing.allResults.map(\.change.name) == [
                "evstep", "shutter", "iso", "mode", "white_balance", "iso",
            ])
    }

    @Test(arguments: CameraSettingResult.Outcome.allCases)
    func `skips the remaining changes if the mode was not set`(outcome: CameraSettingResult.Outcome) {
        var writing = Self.writing("iso", "mode")
        writing.finishChange(outcome)
        let continues = [.set, .unchanged, .trial].contains(outcome)
        #expect((writing.change != nil) == continues)
        if !continues { #expect(writing.allResults.map(\.outcome) == [.skipped, outcome]) }
    }

    @Test(arguments: CameraSettingResult.Outcome.allCases)
    func `only a requested and applied change is a person's choice`(outcome: CameraSettingResult.Outcome) {
        let changes = [CameraSettingChange(name: "iso", value: "100")]
        func confirmsChoice(id: UInt64?, isTrial: Bool, isAutomatic: Bool = false) -> Bool {
            let command = CameraSettingsCommand(changes, isTrial: isTrial, isAutomatic: isAutomatic)
            return SettingsWriting(id: id, command, at: .start).confirmsChoice(outcome)
        }
        #expect(confirmsChoice(id: 1, isTrial: false) == [.set, .unchanged].contains(outcome))
        #expect(!confirmsChoice(id: 1, isTrial: true) && !confirmsChoice(id: nil, isTrial: false))
        #expect(!confirmsChoice(id: 1, isTrial: false, isAutomatic: true))
    }

    @Test func `continues after a failed change of another setting`() {
        var writing = Self.writing("shutter", "iso")
        writing.finishChange(.refused, reason: "no")
        #expect(writing.change?.name == "shutter")
    }

    @Test func `tries a change on a busy camera nine times in four seconds`() {
        var writing = Self.writing("iso", "shutter")
        var (now, tries) = (Instant.start, 1)
        while tries < 100, writing.retryBusy(at: now) {
            #expect(writing.due == now + .milliseconds(500))
            now = writing.due
            tries += 1
        }
        #expect(tries == SettingsWriting.triesMax && now == .milliseconds(4_000))
        writing.finishChange(.busy)
        #expect(writing.change?.name == "shutter")
        let isRetried = writing.retryBusy(at: now)
        #expect(isRetried, "the next change starts with its first try")
    }

    /// The texts are from libgphoto2. `CameraErrorTests` covers libgphoto2's status codes for each kind.
    @Test(
        arguments: [
            (.busy, "The property 'ISO' / 0x500f was not set (0x2019: PTP Device Busy).", .busy),
            (.refused, "The property 'ISO' / 0x500f was not set (0x2002: PTP General Error).", .refused),
            (.refused, "The property 'ISO' / 0x500f was not set (0x200f: Access Denied).", .refused),
            (.unsupported, "Sorry, the property 'ISO' / 0x500f is currently read-only.", .readOnly),
            (.unsupported, "Property 'iso' not found.", .unsupported),
            (.badParameter, "Bad parameters", .unsupported),
        ] as [(CameraError.Kind, String, CameraSettingResult.Outcome)])
    func `derives the outcome of a failed change from the error`(
        kind: CameraError.Kind, text: String, outcome: CameraSettingResult.Outcome
    ) {
        let error = CameraError(kind: kind, code: -1, operation: "set", text: text)
        #expect(SettingsWriting.outcome(of: error) == outcome)
    }

    @Test(arguments: [(0, 20), (300, 300), (5_000, 2_000)])
    func `postpones a change while a shot waits for the shutter`(
        shutterMs: Int, dueMs: Int
    ) {
        var writing = Self.writing("iso")
        let isPostponed = writing.postponeForPhotos(
            hasShot: true, shutterDelay: .milliseconds(shutterMs), lastAnnouncement: nil, at: .start)
        #expect(isPostponed && writing.due == .milliseconds(dueMs))
        let isPostponedAtEnd = writing.postponeForPhotos(
            hasShot: true, shutterDelay: .milliseconds(shutterMs), lastAnnouncement: nil,
            at: .start + SettingsWriting.photoPriority)
        #expect(!isPostponedAtEnd)
    }

    @Test func `postpones a change until the daemon can request an announced photo`() {
        var writing = Self.writing("iso")
        let postponed = [10, 30].map { ms in
            writing.postponeForPhotos(
                hasShot: false, shutterDelay: .zero, lastAnnouncement: .milliseconds(10),
                at: .milliseconds(ms))
        }
        #expect(postponed == [true, false] && writing.due == .milliseconds(30))
    }

    @Test(arguments: [
        ("f/5.6", false, CameraSettingResult.Outcome.set), ("f/5.6", true, .set),
        ("f/2.8", false, .ignored), ("f/2.8", true, .ignored),
        ("f/5", false, .adjusted), ("f/5", true, .adjusted),
    ])
    func `derives the outcome of a change from the camera's value`(
        after: String, isNearest: Bool, outcome: CameraSettingResult.Outcome
    ) {
        let profile = SettingProfile(names: ["f-number"])
        func setting(_ word: String) -> CameraSetting {
            CameraSetting(
                key: .aperture, name: "f-number", value: profile.value(of: word, for: .aperture), word: word,
                writable: .yes)
        }
        let attempt = SettingsWriting.Attempt(
            before: setting("f/2.8"), word: "f/5.6", value: setting("f/5.6").value, isNearest: isNearest)
        let ended = attempt.outcome(setting(after))
        #expect(ended.outcome == outcome)
        #expect((ended.reason == nil) == (outcome == .set && !isNearest))
    }
}

/// Tests of a change that a photo has interrupted.
@Suite struct InterruptedChangeTests {
    private static func attempt() -> SettingsWriting.Attempt {
        let before = CameraSetting(key: .iso, name: "iso", value: nil, word: "100", writable: .yes)
        var attempt = SettingsWriting.Attempt(before: before, word: "800", value: nil, isNearest: false)
        attempt.sent = ("800", Instant.start)
        attempt.interruption = SettingsWriting.Attempt.Interruption(since: .start)
        return attempt
    }

    @Test func `sends the value again after a second without a step`() {
        var attempt = Self.attempt()
        let reads: [(word: String, ms: Int)] = [
            // The first value was read before the photo.
            ("100", 1_500), ("200", 1_700), ("400", 2_400), ("400", 3_399), ("400", 3_400),
        ]
        let isPrepared = reads.map { attempt.continueChange(from: $0.word, at: .milliseconds($0.ms)) }
        #expect(isPrepared == [false, false, false, false, true])
        #expect(attempt.now == "400" && attempt.sent == nil && attempt.interruption == nil)
        #expect(attempt.endsForPhoto)
    }

    @Test func `a photo interrupts the next driver call only after progress`() {
        var attempt = Self.attempt()
        // If the value does not change, the worker repeats the call after the driver's time limit for a step.
        let isPrepared = [0, 3_999, 4_000].map { attempt.continueChange(from: "100", at: .milliseconds($0)) }
        #expect(isPrepared == [false, false, true])
        #expect(!attempt.endsForPhoto)
        attempt.prepareCall(from: "200")
        #expect(attempt.endsForPhoto)
    }

    @Test func `a value that keeps changing delays the next driver call for ten seconds`() {
        var attempt = Self.attempt()
        let isPrepared = stride(from: 0, through: 10_000, by: 500).map {
            attempt.continueChange(from: "\($0)", at: .milliseconds($0))
        }
        #expect(isPrepared.firstIndex(of: true) == isPrepared.count - 1)
        #expect(!attempt.endsForPhoto)
    }

    @Test func `photos interrupt a change at most three times`() {
        var attempt = Self.attempt()
        let mayInterrupt = ["200", "400", "640"].map { word in
            attempt.sent = ("800", Instant.start)
            attempt.interruption = SettingsWriting.Attempt.Interruption(word: word, since: .start)
            let isPrepared = attempt.continueChange(from: word, at: .milliseconds(1_000))
            #expect(isPrepared)
            return attempt.endsForPhoto
        }
        #expect(mayInterrupt == [true, true, false])
    }
}

/// Tests of which settings the worker reads again, and which values it publishes.
@Suite struct SettingsTableTests {
    private static let profile: CameraProfile = {
        var profile = CameraProfile()
        profile.settings = [
            .mode: SettingProfile(
                names: ["dial"], codes: [PropertyCode(0xD105)], driverValues: ["A": ["AV"], "S": ["TV"]]),
            .aperture: SettingProfile(
                names: ["f-number", "aperture"], codes: [PropertyCode(0xD101)], onlyInModes: ["A"]),
            .iso: SettingProfile(names: ["iso"], codes: [PropertyCode(0xD103)]),
            .kelvin: SettingProfile(names: ["colortemperature"], codes: [PropertyCode(0xD10A)]),
        ]
        return profile
    }()

    private static func entry(_ name: String, _ value: String, isReadOnly: Bool = false) -> ConfigEntry {
        ConfigEntry(name: name, value: value, choices: [], isReadOnly: isReadOnly)
    }

    private static func table() -> SettingsTable {
        SettingsTable(profile, known: ["dial", "aperture", "iso", "f-stop"])
    }

    @Test func `uses the first driver name of the profile that the camera supports`() {
        #expect(Self.table().names == [.mode: "dial", .aperture: "aperture", .iso: "iso"])
        #expect(Self.table().allCodes == [0xD105, 0xD101, 0xD103])
    }

    @Test func `publishes changes within a tenth of a second together and once`() {
        var table = Self.table()
        #expect(table.due() == nil)
        table.markStale([0xD103, 0xD10A, 0x5001], at: .milliseconds(1_000))
        table.markStale([0xD103, 0xD101], at: .milliseconds(1_050))
        #expect(table.due() == .milliseconds(1_100))
        #expect(table.next() == .iso)
        table.record(table.setting(.iso, Self.entry("iso", "400")), at: .milliseconds(1_100), settling: .zero)
        #expect(table.takeUnpublished().settings.isEmpty)
        #expect(table.next() == .aperture)
        table.record(
            table.setting(.aperture, Self.entry("aperture", "4")), at: .milliseconds(1_100), settling: .zero)
        #expect(table.next() == nil)
        #expect(table.takeUnpublished().settings.compactMap(\.value?.text) == ["400", "4"])
        table.markStale([0xD103], at: .milliseconds(2_000))
        _ = table.next()
        table.record(table.setting(.iso, Self.entry("iso", "400")), at: .milliseconds(2_100), settling: .zero)
        #expect(table.takeUnpublished().settings.isEmpty, "an unchanged value is not published")
    }

    @Test(
        arguments: [
            // The first value of a setting has no source. A change by a dial takes precedence over a request.
            ([("iso", "400", SettingSource.camera)], nil),
            ([("iso", "400", .camera), ("iso", "800", .request)], .request),
            ([("iso", "400", .camera), ("iso", "800", .request), ("iso", "100", .camera)], .camera),
            ([("iso", "400", .camera), ("iso", "800", .camera), ("iso", "100", .request)], .camera),
            ([("iso", "400", .camera), ("iso", "400", .request)], nil),
        ] as [([(String, String, SettingSource)], SettingSource?)])
    func `publishes changes with the source of their values`(
        read: [(name: String, value: String, source: SettingSource)], expected: SettingSource?
    ) {
        var table = Self.table()
        for one in read {
            table.record(
                table.setting(.iso, Self.entry(one.name, one.value)), at: .start, settling: .zero,
                isOfRequest: one.source == .request)
        }
        #expect(table.takeUnpublished().source == expected)
        #expect(table.takeUnpublished().source == nil, "the source is published only once")
    }

    @Test func `attributes changes of a requested or dependent setting to the request for three seconds`() {
        func source(after requested: CameraSettingKey, at now: Instant, isCompleted: Bool = false)
            -> SettingSource?
        {
            var table = Self.table()
            table.record(table.setting(.aperture, Self.entry("aperture", "4")), at: .start, settling: .zero)
            table.record(table.setting(.mode, Self.entry("dial", "AV")), at: .start, settling: .zero)
            _ = table.takeUnpublished()
            table.recordSent(requested, at: .milliseconds(1_000))
            if isCompleted { table.recordCompleted(.aperture) }
            table.record(table.setting(.aperture, Self.entry("aperture", "8")), at: now, settling: .zero)
            return table.takeUnpublished().source
        }
        #expect(source(after: .aperture, at: .milliseconds(3_999)) == .request)
        #expect(
            source(after: .mode, at: .milliseconds(3_999)) == .request,
            "the other settings depend on the mode")
        #expect(source(after: .iso, at: .milliseconds(4_000)) == .camera)
        #expect(source(after: .kelvin, at: .milliseconds(1_001)) == .camera)
        #expect(source(after: .aperture, at: .milliseconds(1_001), isCompleted: true) == .camera)
    }

    @Test func `maps a driver's setting name to its key, and reads a sent setting again`() {
        var table = Self.table()
        #expect(table.key(of: "aperture") == .aperture && table.key(of: "f-number") == nil)
        table.recordSent(.iso, at: .start, readsAgain: true)
        #expect(table.isStale && table.next() == .iso)
    }

    @Test func `photos delay the reading of settings for a limited time`() {
        var table = Self.table()
        table.markStale([0xD103], at: .milliseconds(1_000))
        #expect(table.due(lastAnnouncement: .milliseconds(1_150)) == .milliseconds(1_450))
        let end = Instant.milliseconds(1_000) + SettingsTable.delayMax
        let shot = Instant.milliseconds(990) + SettingsTable.delayMax
        #expect(table.due(lastAnnouncement: shot) == end)
    }

    @Test func `a new mode updates writability and rereads the exposure`() {
        var table = Self.table()
        func writable() -> CameraSetting.Writable {
            table.setting(.aperture, Self.entry("aperture", "4")).writable
        }
        #expect(writable() == .unknown && table.needsMode(for: .aperture) && !table.needsMode(for: .iso))
        table.record(table.setting(.mode, Self.entry("dial", "AV")), at: .start, settling: .zero)
        #expect(writable() == .yes && !table.needsMode(for: .aperture))
        #expect(table.due() == .start, "a new value is published even if the camera sends no event")
        #expect(table.takeUnpublished().settings.map(\.key) == [.mode])
        #expect(table.due() == nil && table.settlingEnd == .start)
        table.record(
            table.setting(.mode, Self.entry("dial", "TV")), at: .start, settling: .milliseconds(2_000))
        #expect(writable() == .no && table.settlingEnd == .milliseconds(2_000))
        #expect(table.due() == Instant.milliseconds(2_000) + SettingsTable.gathering)
        #expect(table.next() == .iso && table.next() == .aperture && table.next() == nil)
        #expect(table.setting(.iso, Self.entry("iso", "1", isReadOnly: true)).writable == .no)
    }
}

/// Tests of when the worker sets the clock, and of the remaining drift.
@Suite struct ClockWritingTests {
    @Test(arguments: [(0, 985), (500, 485), (985, 0), (986, 999), (999, 986)])
    func `waits until just before a full second to set the clock`(wallMs: Int, waitMs: Int) {
        #expect(ClockWriting.wait(wallMs: 7_000 + wallMs) == waitMs)
    }

    @Test func `sets the clock only within 20 ms before a full second`() {
        #expect(ClockWriting.second(wallMs: 7_979) == nil)
        #expect(ClockWriting.second(wallMs: 7_980) == 8)
        #expect(ClockWriting.second(wallMs: 7_999) == 8)
        #expect(ClockWriting.second(wallMs: 8_000) == nil)
    }

    @Test(arguments: [
        // The camera's seconds begin 20 ms after, 400 ms after and 400 ms before the host's seconds.
        (8_020, 8_520, 8), (8_400, 8_900, 8), (7_600, 8_100, 8),
    ])
    func `sets the clock again in the middle of the camera's second`(
        advancedMs: Int, setMs: Int, second: Int
    ) {
        let now = setMs - 300
        #expect(ClockWriting.wait(wallMs: now, advancedMs: advancedMs) == 300)
        for lateMs in [0, 100, 400] {
            #expect(ClockWriting.second(wallMs: setMs, advancedMs: advancedMs) == second)
            // The time that the camera shows when the request arrives, with its own fraction of a second.
            let shown = second * 1_000 + (setMs + lateMs - advancedMs) % 1_000
            #expect(abs(shown - (setMs + lateMs)) <= 500)
        }
    }

    @Test func `measures the drift when the clock advances to a new second`() {
        #expect(ClockWriting.drift(advancedTo: 9, betweenMs: 8_990, andMs: 9_010) == 0)
        #expect(ClockWriting.drift(advancedTo: 9, betweenMs: 9_300, andMs: 9_320) == -310)
        #expect(abs(ClockWriting.drift(second: 9, wallMs: 9_000)) <= 500)
        #expect(abs(ClockWriting.drift(second: 9, wallMs: 9_999)) <= 500)
    }
}
