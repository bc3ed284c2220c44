import FrameFastAPI

extension StatusReply {
    /// Applies an event to the status. Applying the same event again has no effect.
    mutating func apply(_ event: EventReply.Body) {
        switch event {
        case .snapshot(let new): self = new
        case .camera(let camera):
            if let index = cameras.firstIndex(where: { $0.id == camera.id }) {
                cameras[index] = camera
            } else {
                cameras.append(camera)
            }
        case .cameraRemoved(let id): cameras.removeAll { $0.id == id }
        case .session(let new):
            if new.endedAt == nil {
                session = new
            } else if session?.id == new.id {
                session = nil
            }
        case .destination(let destination):
            if let index = destinations.firstIndex(where: { $0.name == destination.name }) {
                destinations[index] = destination
            } else {
                destinations.append(destination)
            }
            uploads = destinations.reduce(into: UploadStatisticsReply()) { $0.add($1.statistics) }
        case .conditions(let new): conditions = new
        case .statistics(let new, let newDisk, let newUploads):
            (captures, disk, uploads) = (new, newDisk, newUploads)
        case .state(let new): $state = new
        // Other events change no field of the status.
        default: break
        }
    }
}

extension UploadStatisticsReply {
    /// Adds the counts of another destination.
    fileprivate mutating func add(_ other: UploadStatisticsReply) {
        held += other.held
        queued += other.queued
        uploading += other.uploading
        verifying += other.verifying
        delivered += other.delivered
        retrying += other.retrying
        failed += other.failed
    }
}
