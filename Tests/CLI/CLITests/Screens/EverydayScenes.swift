import Foundation
import FrameFastAPI
import SurfaceTestSupport

@testable import FrameFastCLI

/// Sample data for the golden files of everyday screens: a wedding with three cameras.
enum EverydayScenes {
    static let now = Scenes.now

    /// A name of letters that are two cells wide.
    static let wideName = "スタジオの二台目のカメラ"
    /// A file name that is longer than the widest terminal of these tests.
    static let longFile =
        "20251121-140205-Bangkok-Wedding-ceremony-second-shooter-before-the-cut-of-the-cake-披露宴-0001.NEF"

    // MARK: Cameras

    /// Two cameras with the same name, and one with a name in wide letters.
    static let cameras: [CameraReply] = {
        var first = Samples.camera
        (first.id, first.name, first.model) = ("canon-eos-r5-0123", "EOS R5", "Canon EOS R5")
        (first.port, first.pending, first.state) = ("usb:001,004", 3, .downloading)
        first.progress = ProgressReply(
            originalName: "IMG_0008.CR3", bytes: 21_000_000, totalBytes: 50_000_000)
        var second = first
        (second.id, second.serial, second.batteryPercent) = ("canon-eos-r5-0456", "0456", 7)
        (second.state, second.pending, second.progress, second.clockDriftSeconds) = (.ready, 0, nil, -3_607)
        let wide = CameraReply(
            id: "nikon-z8", name: wideName, maker: "NIKON CORPORATION", model: "Z 8",
            port: "ptpip:192.168.1.40:15740", state: .inUse,
            guidance: GuidanceReply(
                sentence: "Another program is using the camera: gvfs-gphoto2-volume-monitor.",
                steps: ["Close it with `pkill gvfs-gphoto2`."]))
        return [first, second, wide]
    }()

    // MARK: Status

    private static let battery = ConditionReply(
        code: "battery-low", severity: .warning, since: now.addingTimeInterval(-420), about: .camera,
        subject: "canon-eos-r5-0456", name: "EOS R5", short: "battery low",
        sentence: "The battery is at 7 %.", nextStep: "Change the battery at the next pause.")
    private static let away = ConditionReply(
        code: "destination-away", severity: .danger, since: now.addingTimeInterval(-4_000),
        about: .destination,
        subject: "agency", name: "agency", short: "agency away",
        sentence: "sftp.agency.example.com did not answer within 10 s; photos wait here until it does.",
        nextStep: "No photo is lost. Uploads resume automatically when the destination accepts them.")

    static let status: [(name: String, reply: StatusReply)] = {
        var busy = Samples.status
        busy.cameras = cameras
        busy.session?.name = "Bangkok Wedding, second day, 披露宴"
        busy.disk = DiskReply(
            directory: "/srv/photos/2025/studio", freeBytes: 12_400_000_000, minFreeBytes: 2_000_000_000,
            totalBytes: 500_000_000_000, guard: .low)
        busy.uploads = UploadStatisticsReply(
            held: 3, queued: 118, uploading: 2, delivered: 1_204, retrying: 40, failed: 1)
        busy.conditions = [away, battery]
        var rest = Samples.status
        rest.disk.totalBytes = 500_000_000_000
        var new = rest
        (new.cameras, new.session) = ([], nil)
        new.captures = CaptureStatisticsReply()
        return [
            ("a wedding", busy), ("at rest", rest), ("first start", new),
            ("ten thousand shots and a camera that fails", tenThousand),
        ]
    }()

    /// A condition with severity `info`.
    static let note = ConditionReply(
        code: "shared-serial", severity: .info, since: now.addingTimeInterval(-90_000), about: .service,
        short: "two cameras share a number", sentence: "Two cameras report the same serial number.",
        nextStep: nil)

    /// A status with a session name with combining marks, and a failed camera with a right-to-left name.
    static let tenThousand: StatusReply = {
        var status = Samples.status
        var camera = Samples.camera
        (camera.id, camera.name, camera.state) = ("sony-1", SmallScenes.hebrewName, .failed)
        (camera.progress, camera.pending) = (nil, 10_000)
        camera.guidance = GuidanceReply(
            sentence: "The camera stopped answering five times.",
            steps: ["Switch it off and on.", "Try another cable."])
        status.cameras = [camera]
        status.session?.name = "Noe\u{308}l a\u{300} Sa\u{303}o Paulo"
        status.session?.shots = 10_000
        status.captures = CaptureStatisticsReply(
            shots: 10_000, shotsToday: 10_000, shotsPerMinute: 1_200, total: 20_000, today: 20_000,
            bytes: 1_204_000_000_000)
        status.disk = DiskReply(
            directory: "/srv/photos", freeBytes: 900_000, minFreeBytes: 2_000_000_000,
            totalBytes: 500_000_000_000, guard: .full)
        status.conditions = [
            ConditionReply(
                code: "camera-failed", severity: .danger, since: now.addingTimeInterval(-5), about: .camera,
                subject: camera.id.rawValue, name: camera.name, short: "camera failed",
                sentence: "It stopped answering five times.", nextStep: "Switch it off and on."), note,
        ]
        return status
    }()

    // MARK: Captures

    private static func photo(
        _ id: CaptureID, _ name: String, of shot: ShotID? = nil, _ state: CaptureReply.State, camera: Int,
        minutes: Double
    ) -> CaptureReply {
        var photo = Samples.capture(id.rawValue, name: name)
        photo.path = "/srv/photos/2025/Bangkok Wedding/" + name
        (photo.shotID, photo.state, photo.shotState) = (shot ?? ShotID(first: id), state, state)
        (photo.cameraID, photo.cameraName) = (cameras[camera].id, cameras[camera].name)
        photo.savedAt = now.addingTimeInterval(-60 * minutes)
        return photo
    }

    static let captures: CapturesReply = {
        var damaged = photo(5, "IMG_0005.JPG", .damaged, camera: 1, minutes: 4)
        damaged.path = nil
        damaged.problem = "The JPEG ends before its end marker."
        var raw = photo(8, "IMG_0008.CR3", of: 7, .uploading, camera: 0, minutes: 1)
        raw.size = 51_200_000
        var once = photo(3, "IMG_0003.JPG", .delivered, camera: 0, minutes: 6)
        once.verified = Word(.awaitingReread)
        return CapturesReply(
            captures: [
                photo(9, "IMG_0009.CR3", .receiving, camera: 0, minutes: 0), raw,
                photo(7, "IMG_0008.JPG", of: 7, .uploading, camera: 0, minutes: 1),
                photo(6, longFile, .queued, camera: 2, minutes: 2), damaged,
                photo(4, "写真-最初の乾杯.JPG", .retrying, camera: 2, minutes: 5), once,
                photo(2, "IMG_0002.JPG", .uploadFailed, camera: 1, minutes: 7),
                photo(1, "IMG_0001.JPG", .held, camera: 1, minutes: 90),
            ], nextCursor: "7")
    }()

    // MARK: Sessions and uploads

    static let sessions: [SessionReply] = [
        SessionReply(
            id: 12, name: "Bangkok Wedding, second day, 披露宴", startedAt: now.addingTimeInterval(-7_200),
            shots: 1_204, captures: 2_408, bytes: 61_200_000_000, keep: "until-delivered"),
        SessionReply(
            id: 11, name: "Bangkok Wedding", startedAt: now.addingTimeInterval(-90_000),
            endedAt: now.addingTimeInterval(-60_000), shots: 212, captures: 212, bytes: 1_700_000_000,
            uploadMode: .offline),
        SessionReply(
            id: 2, name: "test", startedAt: now.addingTimeInterval(-900_000),
            endedAt: now.addingTimeInterval(-899_000)),
    ]

    /// Uploads of photos of three cameras, of which two have the same name.
    static let jobs: UploadsReply = {
        let jobs = captures.captures.filter { $0.state != .damaged && $0.state != .receiving }.map { photo in
            var job = Samples.job(
                photo.id.rawValue, .queued,
                to: photo.id.rawValue % 2 == 0 ? "agency" : "studio-nas-in-the-cellar")
            (job.originalName, job.cameraID, job.cameraName) = (
                photo.originalName, photo.cameraID, photo.cameraName
            )
            return job
        }
        return UploadsReply(jobs: jobs)
    }()
}
