import FrameFastModel
import SystemIO

/// A store for photos that arrive from the camera's memory together with their event. The photos stay in the
/// worker's home folder until the daemon has fetched them.
///
/// The camera deletes these photos after their transfer. libgphoto2 caches the photos, but an ObjectRemoved
/// event clears the cache. The worker therefore writes each photo to the disk before it announces the photo.
/// The files survive the connection and the worker: the next worker loads them. A photo that cannot be
/// written stays in the worker's memory. While the store is full, the worker requests no more photos, and the
/// remaining photos stay in the camera.
///
/// Syncing a photo takes as long as several requests to the camera. A separate thread syncs while the driver
/// thread continues. The driver thread waits until the photo is synced before it transfers the next photo
/// (``waitUntilSynced()``).
final class MemoryPhotoStore: @unchecked Sendable {
    // Only the driver thread uses fields marked "For the driver thread". The monitor's lock protects all
    // other mutable fields.

    /// The maximum number of photos.
    static let countMax = 16
    /// The total size at which the store is full, in bytes. A single photo may exceed this size (see
    /// ``Confinement/dataLimit``).
    static let bytesMax = 128 * 1_024 * 1_024

    /// The location of a photo's data.
    enum Location {
        /// In a file.
        case file(MemoryPhotoFile)
        /// Only in this process's memory, because the photo could not be written to the disk.
        case memory([UInt8])
    }

    /// A photo that is written to its file but not synced yet.
    private final class Job {
        let object: CameraObject
        var bytes: [UInt8]
        let file: MemoryPhotoFile
        let descriptor: Int32
        let announce: @Sendable () -> Void

        init(
            _ object: CameraObject, _ bytes: [UInt8], _ file: MemoryPhotoFile, descriptor: Int32,
            announce: @escaping @Sendable () -> Void
        ) {
            self.object = object
            self.bytes = bytes
            self.file = file
            self.descriptor = descriptor
            self.announce = announce
        }
    }

    private let monitor = Monitor()
    private var photos: [(object: CameraObject, location: Location)]
    private var job: Job?
    /// The buffer of the last photo, for reuse. Writing to mapped pages is much faster than mapping new ones.
    private var spare: [UInt8] = []

    /// The worker's home folder.
    private let home = WorkerOptions.home
    /// The number of the last photo. For the driver thread.
    private var number: Int
    /// Whether the syncing thread was started. For the driver thread.
    private var hasThread = false

    /// Whether the store accepts photos beyond its limits while the disk has space. Set before the worker
    /// ends, because the camera clears its memory at the end of the connection. For the driver thread.
    var acceptsAll = false

    /// Loads the photos that earlier workers left.
    init() {
        let found = MemoryPhotoFile.find(in: home)
        number = found.last
        photos = found.photos.map { ($0.object, .file($0.file)) }
    }

    /// Whether the store is full. New photos must then stay in the camera.
    var isFull: Bool {
        if acceptsAll { return unsavedCount > 0 }
        return monitor.withLock {
            photos.count >= Self.countMax
                || photos.reduce(0) { $0 &+ min($1.object.size, UInt64(Self.bytesMax)) }
                    >= UInt64(Self.bytesMax)
        }
    }
    /// The photos, in order of arrival.
    var objects: [CameraObject] { monitor.withLock { photos.map(\.object) } }
    /// The number of photos that exist only in this process's memory.
    var unsavedCount: Int {
        monitor.withLock { photos.count { if case .memory = $0.location { true } else { false } } }
    }

    /// Returns whether the store contains a photo with this name.
    func hasPhoto(named name: String) -> Bool {
        monitor.withLock { photos.contains { $0.object.name == name } }
    }

    /// Returns an empty buffer for a photo. Reuses the memory of the previous photo, and waits until the
    /// previous photo is synced.
    func takeBuffer() -> [UInt8] {
        waitUntilSynced()
        return monitor.withLock {
            var buffer: [UInt8] = []
            swap(&buffer, &spare)
            return buffer
        }
    }

    /// Whether ``releaseBuffer()`` can release memory.
    var hasSpare: Bool { monitor.withLock { spare.capacity > 0 } }

    /// Releases the memory that is reserved for the next photo.
    func releaseBuffer() { monitor.withLock { spare = [] } }

    /// Adds a photo.
    ///
    /// - Parameter announce: Called on any thread after the photo was synced or the sync failed.
    func add(_ object: CameraObject, _ bytes: [UInt8], announce: @escaping @Sendable () -> Void) {
        waitUntilSynced()
        number += 1
        do throws(PhotoStoreError) {
            let (file, descriptor) = try MemoryPhotoFile.write(object, bytes, number: number, in: home)
            startThread()
            monitor.withLockAndNotify {
                photos.append((object, .file(file)))
                job = Job(object, bytes, file, descriptor: descriptor, announce: announce)
            }
        } catch {
            monitor.withLockAndNotify { photos.append((object, .memory(bytes))) }
            logFailure(error)
            announce()
        }
    }

    /// Waits until the last photo is synced and announced.
    func waitUntilSynced() { monitor.wait { job == nil ? () : nil } }

    /// Returns the location of a photo, or `nil` if the store does not contain it.
    func location(of name: String) -> Location? {
        monitor.withLock { photos.first { $0.object.name == name }?.location }
    }

    /// Deletes a photo.
    func remove(_ name: String) {
        waitUntilSynced()
        let removed = monitor.withLockAndNotify {
            let removed = photos.filter { $0.object.name == name }
            photos.removeAll { $0.object.name == name }
            return removed
        }
        for photo in removed {
            if case .file(let file) = photo.location { file.remove() }
        }
    }

    // MARK: Syncing thread

    private func startThread() {
        guard !hasThread else { return }
        hasThread = true
        PlainThread.startOrExit("sync") { [self] in
            while true { sync(monitor.wait { job }) }
        }
    }

    private func sync(_ job: Job) {
        do throws(PhotoStoreError) { try job.file.sync(job.descriptor) } catch {
            monitor.withLockAndNotify {
                for index in photos.indices where photos[index].object == job.object {
                    photos[index].location = .memory(job.bytes)
                }
            }
            logFailure(error)
        }
        job.announce()
        monitor.withLockAndNotify {
            job.bytes.removeAll(keepingCapacity: true)
            swap(&spare, &job.bytes)
            self.job = nil
        }
    }

    private func logFailure(_ fault: PhotoStoreError) {
        Log.line("cannot save a photo from the camera's memory to disk: \(fault.text)")
    }
}
