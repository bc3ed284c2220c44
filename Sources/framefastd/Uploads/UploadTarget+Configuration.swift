import Cameras
import CaptureEngine
import FrameFastModel
import Logging
import Store
import UploadDestinations
import UploadEngine

extension UploadTarget {
    /// Workers of a destination that does not say.
    private static let workersUsual = 4

    /// From the configuration's words to a destination at work.
    ///
    /// - Throws: ``SecretFileError`` when a password cannot be read, ``NamingTemplateError`` for a bad name.
    init(
        _ configured: Configuration.Destination, stateDirectory: String, captureDirectory: String,
        naming: CaptureNaming, logger: Logger
    ) throws {
        let workers =
            configured.numbers["concurrency"] ?? (configured.kind == "ftp" ? 1 : Self.workersUsual)
        let template = try configured.texts["remote_name"].map(NamingTemplate.init)
        self.init(
            name: configured.name,
            destination: try configured.place(
                stateDirectory: stateDirectory, workers: workers, logger: logger),
            workers: workers, order: configured.texts["order"] == "newest" ? .newestFirst : .capture,
            rule: UploadRule(configured),
            bytesPerSecond: configured.bandwidth,
            holdsWhenMetered: configured.texts["metered"] == "hold"
        ) { photo in
            if let template {
                return template.path(for: naming.facts(photo.capture, counter: photo.capture.counter ?? 0))
            }
            return Self.relativeName(photo.capture, below: captureDirectory)
        }
    }

    /// The photo's path below the capture directory; its own name when it lies elsewhere by now.
    private static func relativeName(_ record: CaptureRecord, below directory: String) -> String {
        let path = record.path ?? record.object.name
        guard path.hasPrefix(directory + "/") else { return SafeName.component(record.object.name) }
        return String(path.dropFirst(directory.count + 1))
    }
}

extension UploadRule {
    init(_ configured: Configuration.Destination) {
        self.init(
            types: configured.lists["types"].map { Set($0.map(FileType.init)) },
            cameras: configured.lists["cameras"].map(Set.init),
            sessions: configured.lists["sessions"].map(Set.init),
            bytesMax: configured.numbers["max_size"].map(UInt64.init(clamping:)),
            minimumRating: configured.numbers["minimum_rating"])
    }
}

extension NetworkMeter {
    /// - Parameter announcer: Hears of it; the service is told through it that the network changed.
    convenience init(
        _ upload: Configuration.Upload, announcer: Announcer, health: HealthBoard, logger: Logger
    ) {
        let command = upload.meteredCommand.first.map {
            CommandSettings(
                program: $0, arguments: Array(upload.meteredCommand.dropFirst()),
                timeoutSeconds: Self.answerSeconds)
        }
        self.init(
            command: command, interval: upload.meteredInterval, logger: logger,
            onChange: { announcer.networkChanged() },
            tell: { condition in
                if let condition { health.raise(condition) } else { health.clear(Self.conditionCode) }
            })
    }
}

extension UploadModePolicy {
    init(_ upload: Configuration.Upload) {
        self.init(
            defaultMode: upload.mode, minimumRating: upload.minimumRating, schedule: upload.schedule)
    }
}
