import FrameFastConfiguration
import FrameFastModel
import Logging
import SettingKeys
import Store
import UploadDestinations
import UploadEngine

extension UploadTarget {
    /// From the configuration's words to a destination at work.
    ///
    /// - Throws: ``NamingTemplateError`` for a bad name.
    init(
        _ configured: Configuration.Destination, stateDirectory: String, captureDirectory: String,
        sidecars: SidecarPolicy, logger: Logger
    ) throws {
        let host = sidecars.host
        var companions = sidecars
        companions.xmp = configured.companions
        let workers = configured.workers
        let template = try configured.remoteName.map { try NamingTemplate($0, host: host) }
        let place = configured.placeOnDemand(stateDirectory: stateDirectory, workers: workers, logger: logger)
        self.init(
            name: configured.id,
            destination: configured.sidecar ? SidecarDestination(place, host: host) : place,
            workers: workers, order: configured.order == .newest ? .newestFirst : .capture,
            rule: UploadRule(configured),
            bytesPerSecond: configured.bytesPerSecond,
            holdsWhenMetered: configured.metered == .hold, isNameChosen: template != nil,
            companions: companions.xmp == .off ? nil : companions
        ) { photo in
            if let template {
                return template.path(for: photo, counter: photo.record.counter ?? 0)
            }
            // Its own name when it lies elsewhere by now.
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
