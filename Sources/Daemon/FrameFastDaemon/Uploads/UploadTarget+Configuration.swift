import Cameras
import CaptureEngine
import FrameFastModel
import Logging
import Store
import UploadDestinations
import UploadEngine

extension UploadTarget {
    /// Uploads at a time to a destination that does not say. What a round trip keeps waiting is made up for by more
    /// of them: with 30 ms, 4 small photos at a time reach a third of what 16 do. FTP loses data with more than one.
    private static func workersUsual(_ kind: String) -> Int {
        switch kind {
        case "s3", "sftp", "webdav", "http": 16
        case "ftp": 1
        default: 4
        }
    }

    /// From the configuration's words to a destination at work.
    ///
    /// - Throws: ``NamingTemplateError`` for a bad name.
    init(
        _ configured: Configuration.Destination, stateDirectory: String, captureDirectory: String,
        naming: CaptureNaming, logger: Logger
    ) throws {
        let workers = configured.numbers["concurrency"] ?? Self.workersUsual(configured.kind)
        let template = try configured.texts["remote_name"].map(NamingTemplate.init)
        self.init(
            name: configured.name,
            destination: configured.placeOnDemand(
                stateDirectory: stateDirectory, workers: workers, logger: logger),
            workers: workers, order: configured.texts["order"] == "newest" ? .newestFirst : .capture,
            rule: UploadRule(configured),
            bytesPerSecond: configured.bandwidth,
            holdsWhenMetered: configured.texts["metered"] == "hold", isNameChosen: template != nil
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
    /// - Parameter events: Are told that the network changed.
    convenience init(
        _ upload: Configuration.Upload, events: DomainEvents, health: HealthBoard, logger: Logger
    ) {
        self.init(
            command: upload.meter, interval: upload.meteredInterval, logger: logger,
            onChange: { events.tell(.networkChanged) },
            tell: { condition in
                if let condition { health.raise(condition) } else { health.clear(.meteredUnknown) }
            })
    }
}

extension Configuration.Upload {
    /// The program that knows whether the network costs money; `nil` to ask NetworkManager.
    var meter: CommandSettings? {
        meteredCommand.first.map {
            CommandSettings(
                program: $0, arguments: Array(meteredCommand.dropFirst()),
                timeoutSeconds: NetworkMeter.answerSeconds)
        }
    }
}

extension UploadModePolicy {
    init(_ upload: Configuration.Upload) {
        self.init(
            defaultMode: upload.mode, minimumRating: upload.minimumRating, schedule: upload.schedule)
    }
}
