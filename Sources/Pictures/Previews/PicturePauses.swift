import FrameFastModel
import FrameFastSystem

/// The pauses after failures that are not counted for a photo, for example of a disk that does not answer.
struct PicturePauses: Sendable {
    /// The pauses between attempts to start a worker that does not start.
    static let workerBackoff = Backoff(first: .seconds(1), maximum: .seconds(300))
    /// The pauses between attempts for one photo, or for one folder whose disk does not answer.
    static let photoBackoff = Backoff(first: .seconds(10), maximum: .seconds(1_800))

    /// The pause before the next start of a worker.
    var worker = RetryPause(PicturePauses.workerBackoff)
    /// The pauses of photos, by SHA-256.
    private var photos = RetryPauses<String>(PicturePauses.photoBackoff)
    /// The pauses of folders whose disk does not answer, by path.
    private var folders = RetryPauses<String>(PicturePauses.photoBackoff)

    /// Returns the remaining time of the pause of a photo or of its folder, in seconds, or 0 without a pause.
    func remainingSeconds(of photo: PreviewPhoto, at uptime: Double) -> Double {
        max(
            photos.remainingSeconds(of: photo.sha256, at: uptime),
            folders.remainingSeconds(of: DurableFile.parent(of: photo.path), at: uptime))
    }

    /// Records a failed attempt for a photo.
    mutating func recordFailure(of photo: PreviewPhoto, at uptime: Double) {
        photos.recordFailure(of: photo.sha256, at: uptime)
    }

    /// Records that the disk of a photo does not answer.
    mutating func recordStall(of photo: PreviewPhoto, at uptime: Double) {
        recordFailure(of: photo, at: uptime)
        folders.recordFailure(of: DurableFile.parent(of: photo.path), at: uptime)
    }

    /// Records that the worker made a picture of a photo.
    mutating func recordSuccess(of photo: PreviewPhoto) {
        photos.recordSuccess(of: photo.sha256)
        folders.recordSuccess(of: DurableFile.parent(of: photo.path))
    }
}
