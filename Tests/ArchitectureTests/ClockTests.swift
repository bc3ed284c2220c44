import TestRig
import Testing

/// Tests that the service reads time and randomness only from `HostClock`. A test can then replace both.
@Suite(.blocking) struct ClockTests {
    /// The layers that read time and randomness from `HostClock`.
    private static let layers = ["API", "Automation", "Camera", "Capture", "Daemon", "Upload"]

    /// A pattern for other sources of time and randomness. It does not match `random()` of a `HostClock`.
    private static let source = [
        #"\b(ContinuousClock|SuspendingClock)\b"#, #"\bDate\(\)"#, #"\bDate\.now\b"#, "timeIntervalSinceNow",
        #"\bTask\.sleep\("#, #"\.random\((in|using):"#, #"\b[A-Z][A-Za-z0-9]*\.random\("#,
        #"\bclock_gettime\("#, #"\btime\(nil\)"#,
    ].joined(separator: "|")

    /// Files below `Sources` that do not use `HostClock`, with the reason.
    private static let exceptions: [String: String] = [
        "Camera/CameraWorker/Operations/BootClock.swift": "the worker does not load FrameFastSystem",
        "Camera/CameraWorker/Session/DriverConnection+Clock.swift":
            "the worker does not load FrameFastSystem",
        "Camera/CameraWorker/Session/DriverConnection+Facts.swift":
            "the worker does not load FrameFastSystem",
        "Camera/GPhoto2/Packets/PacketTap.swift": "the worker does not load FrameFastSystem",
    ]

    /// Files below `Sources` that do not use `HostClock` yet. Remove a file when it does. Do not add files.
    private static let remaining: Set<String> = [
        "Daemon/FrameFastDaemon/Control/CaptureHandler.swift",
        "Daemon/FrameFastDaemon/Control/DestinationHandler.swift",
        "Daemon/FrameFastDaemon/Control/GroupHandler.swift",
        "Daemon/FrameFastDaemon/Control/MetricsHandler.swift",
        "Daemon/FrameFastDaemon/Control/ServiceHandler.swift",
        "Daemon/FrameFastDaemon/Control/SessionHandler.swift",
        "Daemon/FrameFastDaemon/Control/StorageHandler.swift",
        "Daemon/FrameFastDaemon/Control/TemplateHandler.swift",
        "Daemon/FrameFastDaemon/Daemon.swift",
        "Daemon/FrameFastDaemon/DaemonParts.swift",
        "Daemon/FrameFastDaemon/Events/PendingCounts.swift",
        "Daemon/FrameFastDaemon/Installation/FolderCheck.swift",
        "Daemon/FrameFastDaemon/LiveView/LiveViewFeed.swift",
        "Daemon/FrameFastDaemon/LiveView/LiveViewer.swift",
        "Daemon/FrameFastDaemon/Operations/GroupRelease.swift",
        "Daemon/FrameFastDaemon/Operations/IntervalPlans.swift",
        "Daemon/FrameFastDaemon/Presets/ConnectedCameras.swift",
        "Daemon/FrameFastDaemon/Presets/PresetHandler.swift",
        "Daemon/FrameFastDaemon/Replies/DestinationStateDates.swift",
        "Daemon/FrameFastDaemon/Sleep/SleepInhibitor.swift",
        "Daemon/FrameFastDaemon/Status/StatusReporter.swift",
    ]

    @Test func `only HostClock is a source of time and randomness`() throws {
        let source = try LinePattern(Self.source)
        var found: Set<String> = []
        for file in try Self.layers.flatMap({ try SourceFile.all(under: "Sources/\($0)") }) {
            let lines = file.code(matching: source)
            guard !lines.isEmpty else { continue }
            let name = String(file.path.dropFirst("Sources/".count))
            found.insert(name)
            #expect(
                Self.exceptions[name] != nil || Self.remaining.contains(name),
                "\(file.path), lines \(lines.map(\.number)): use HostClock")
        }
        let unused = Self.remaining.union(Self.exceptions.keys).subtracting(found).sorted()
        #expect(unused.isEmpty, "these files use only HostClock: shorten the list")
    }

    @Test(
        arguments: [
            ("let start = ContinuousClock.now", true), ("at: Date()", true), ("clock.now()", false),
            ("try await Task.sleep(for: pause)", true), ("try await clock.sleep(for: pause)", false),
            ("UInt64.random(in: 0...9)", true), ("Bool.random()", true), ("clock.random()", false),
            ("Date(timeIntervalSince1970: 0)", false),
        ] as [(String, Bool)])
    func `the pattern finds each source of time and randomness`(line: String, isSource: Bool) throws {
        #expect(try LinePattern(Self.source).matches(line) == isSource)
    }
}
