public import Foundation
public import FrameFastAPI

/// Sample values with all fields filled.
public enum Samples {
    /// 2025-11-21T09:15:02.250Z.
    public static let time = Date(timeIntervalSince1970: 1_763_716_502.25)

    /// A sample camera.
    public static let camera = CameraReply(
        id: "studio-a", name: "studio-a", maker: "Canon Inc.", model: "Canon EOS R5", serial: "0123",
        firmware: "1.8",
        port: "ptpip:127.0.0.1:15740", state: .ready, batteryPercent: 84, shotsLeft: 512,
        exposure: ExposureReply(
            text: "1/125 f/5.6 ISO 400 AWB RAW+J", mode: "M", shutter: "1/125", aperture: "5.6", iso: "400",
            exposureCompensation: "0", whiteBalance: "auto", quality: "raw+jpeg-fine",
            changedBy: .camera),
        clockDriftSeconds: 1,
        storages: [StorageReply(label: "CF", capacityBytes: 64_000_000_000, freeBytes: 1_000_000)],
        lastCapture: LastCaptureReply(id: 7, path: "/photos/a.jpg", savedAt: time),
        progress: ProgressReply(originalName: "IMG_0008.JPG", bytes: 5, totalBytes: 10), pending: 0,
        captureTarget: "card")

    /// A sample session.
    public static let session = SessionReply(
        id: 1, name: "Bangkok Wedding", startedAt: time, endedAt: nil, shots: 212, captures: 424,
        bytes: 1_000_000)

    /// A sample warning.
    public static let condition = ConditionReply(
        code: "disk-low", severity: .warning, since: time, about: .service, short: "disk nearly full",
        sentence: "The disk is getting short.",
        nextStep: "Free some space.")

    /// A sample status without conditions.
    public static let status = StatusReply(
        version: "9.8.7", state: .running, startedAt: time, cameras: [camera], session: session,
        captures: CaptureStatisticsReply(
            shots: 1204, shotsToday: 212, shotsPerMinute: 12, total: 2408, today: 424, bytes: 31_200_000_000),
        disk: DiskReply(
            directory: "/photos", freeBytes: 212_400_000_000, minFreeBytes: 2_000_000_000, guard: .ok))

    /// Two makers: a detected maker, and a maker without a network guide.
    public static let makers = [
        MakerReply(
            id: "canon", name: "Canon", summary: "EOS R, EOS DSLR and EOS M bodies", isDetected: true,
            usb: GuidanceReply(
                sentence: "Connect the Canon by USB.", steps: ["Turn Wi-Fi off.", "Plug it in."]),
            network: GuidanceReply(sentence: "Join the Canon's Wi-Fi.", steps: ["Turn Wi-Fi on."])),
        MakerReply(
            id: "fujifilm", name: "Fujifilm", summary: "X and GFX bodies", isDetected: false,
            usb: GuidanceReply(
                sentence: "Connect the Fujifilm by USB.", steps: ["Choose USB TETHER SHOOTING."])),
    ]

    /// A discovery with one found camera and two addresses without a response.
    public static let discovery = DiscoveryReply(
        found: [.init(address: "ptpip:192.168.1.2:15740", cameraName: "EOS R5", camera: nil)],
        failures: [.init(kind: .timeout, count: 2)], tried: 3)

    /// Metrics with one value.
    public static let metrics: MetricsText = {
        var text = MetricsText()
        text.addFamily("framefast_build", .info, "The running version.")
        text.addSample("framefast_build_info", ["version": "9.9.9"], 1)
        return text
    }()
    /// A diagnosis with one warning and one check that passed.
    public static let diagnosis = DiagnosisReply(checks: [
        .init(
            id: "udev-rule", title: "udev rule", verdict: .warning,
            sentence: "The rule that lets FrameFast open cameras is not installed.",
            steps: ["Install udev/60-framefast.rules."]),
        .init(id: "disk", title: "Disk", verdict: .ok, sentence: "212.4 GB are free."),
    ])

    /// Returns a saved photo.
    public static func capture(_ id: Int64, name: String = "IMG_0007.JPG") -> CaptureReply {
        CaptureReply(
            id: CaptureID(rawValue: id), path: "/photos/\(id).jpg", originalName: name, size: 8_100_000,
            sha256: "00ff",
            cameraID: "studio-a", cameraName: "studio-a", session: 1, capturedAt: time, detectedAt: time,
            savedAt: time,
            state: .saved,
            transferMs: 80,
            savedMs: 95)
    }
}
