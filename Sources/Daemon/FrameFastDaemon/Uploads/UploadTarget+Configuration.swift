import FrameFastConfiguration
import FrameFastModel
import Logging
import SettingKeys
import Store
import UploadDestinations
import UploadEngine

extension UploadTarget {
    /// Creates a target from the configuration of a destination.
    ///
    /// - Throws: ``NamingTemplateError`` for an invalid `remote_name`.
    init(
        _ configured: Configuration.Destination, stateDirectory: String, captureDirectory: String,
        logger: Logger
    ) throws {
        let workers = configured.workers
        let memory = DestinationMemory(configuration: configured.configurationText)
        let template = try configured.remoteName.map(NamingTemplate.init)
        self.init(
            name: configured.id,
            destination: configured.makeConfiguredDestination(
                stateDirectory: stateDirectory, workers: workers, memory: memory, logger: logger),
            place: configured.placeText, memory: memory, features: configured.features, workers: workers,
            order: configured.order == .newest ? .newestFirst : .capture,
            rule: UploadRule(configured),
            bytesPerSecond: configured.bytesPerSecond,
            holdsWhenMetered: configured.metered == .hold,
            stallSeconds: Self.stallSeconds(ownLimitSeconds: configured.silenceMax / .seconds(1)),
            continuesAfterSleep: configured.continuesAfterSleep, isNameChosen: template != nil
        ) { photo in
            if let template {
                return template.path(for: photo, counter: photo.record.counter ?? 0)
            }
            // A photo outside the capture directory keeps its original name.
            return photo.record.path(below: captureDirectory) ?? SafeName.component(photo.record.object.name)
        }
    }
}

extension UploadRule {
    init(_ configured: Configuration.Destination) {
        self.init(
            types: configured.types.map { Set($0.map(FileType.init)) },
            cameras: configured.cameras.map(Set.init),
            sessions: configured.sessions.map(Set.init),
            bytesMax: configured.maxSize.map(UInt64.init(clamping:)),
            minimumRating: configured.minimumRating)
    }
}

extension UploadModePolicy {
    init(_ upload: Settings<UploadKeys>) {
        self.init(
            defaultMode: upload.mode, minimumRating: upload.minimumRating, schedule: upload.schedule)
    }
}
