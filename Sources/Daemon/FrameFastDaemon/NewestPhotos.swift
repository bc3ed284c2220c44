import FrameFastModel

/// The newest photo on disk of each camera. The ledger is asked once for a camera, also for one that has none: looking for
/// what is not there means looking at every photo.
struct NewestPhotos {
    private var records: [CameraID: CaptureRecord] = [:]
    private var asked: Set<CameraID> = []

    subscript(camera: CameraID) -> CaptureRecord? { records[camera] }

    /// A photo was saved.
    mutating func saved(_ record: CaptureRecord, camera: CameraID) {
        if records[camera]?.id ?? 0 <= record.id { records[camera] = record }
    }

    /// Cameras of which the ledger was not asked yet.
    func unknown(among cameras: [CameraID]) -> [CameraID] { cameras.filter { !asked.contains($0) } }

    /// The ledger's answer for these cameras. What was saved meanwhile is newer.
    mutating func found(_ found: [CameraID: CaptureRecord], of cameras: [CameraID]) {
        asked.formUnion(cameras)
        for (camera, record) in found { saved(record, camera: camera) }
    }
}
