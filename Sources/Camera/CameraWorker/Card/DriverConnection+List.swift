import FrameFastModel
import GPhoto2
import WorkerProtocol

extension DriverConnection {
    /// The maximum number of objects in one listing.
    static let objectLimit = 1_000_000
    /// The maximum number of unreadable objects in one listing.
    static let unreadableLimit = 256

    /// Lists every file on the camera, in the camera's order. ``beginListing`` decides whether the driver
    /// lists all files at once or the worker lists them in portions.
    mutating func list(_ id: UInt64) {
        guard profile.canList else {
            return daemon.send(
                .listed(id: id, photoStore.objects, isLast: true, total: photoStore.objects.count))
        }
        if beginListing(id) { return }
        camera.forgetListings()
        var part = photoStore.objects
        var count = 0
        var skipped = 0
        var folders: [(path: String, depth: Int)] = [("/", 0)]
        var seen = 0
        while let folder = folders.popLast(), seen < CardReading.folderLimit {
            seen += 1
            do throws(CameraError) {
                for name in try folder.depth == 0 ? [] : files(in: folder.path, skipped: &skipped)
                where count < Self.objectLimit {
                    guard let object = try readable(CameraPath(folder: folder.path, name: name), &skipped)
                    else {
                        continue
                    }
                    part.append(object)
                    memory.photos?.insert(object)
                    count += 1
                    if part.count >= WorkerLimits.objectsPerListing {
                        daemon.send(.listed(id: id, part, isLast: false, total: nil))
                        part.removeAll(keepingCapacity: true)
                    }
                }
                guard folder.depth < CardReading.folderDepth else { continue }
                let names = try camera.folders(in: folder.path)
                let base = folder.path == "/" ? "" : folder.path
                folders.append(contentsOf: names.reversed().map { ("\(base)/\($0)", folder.depth + 1) })
            } catch {
                let failure = classify(error, during: "list")
                // If the root or a storage can't be listed, the listing fails. If a deeper folder can't be
                // listed, the listing continues.
                if loss != nil || folder.depth <= 1 {
                    return daemon.send(.failed(id: id, failure))
                }
                Log.line("cannot list \(folder.path): \(error.text)")
            }
        }
        if skipped > 0 { Log.line("\(skipped) objects could not be read") }
        daemon.send(.listed(id: id, part, isLast: true, total: nil))
    }

    /// Returns the file names in a folder. If the camera refuses to describe one object, the driver's request
    /// fails. On the next try, the driver skips that object.
    func files(in folder: String, skipped: inout Int) throws(CameraError) -> [String] {
        var refusals = FolderRefusals()
        let before = skipped
        while true {
            do throws(CameraError) {
                return try camera.files(in: folder)
            } catch {
                let object = camera.failedObject
                // Without packets, the worker can't distinguish the refusal of an object in the folder from
                // the refusal of the folder itself.
                let mayBeObject =
                    !camera.isGuarded && error.kind == .refused && refusals.mayRetry(after: error.text)
                guard object != nil || mayBeObject,
                    !camera.sockets.isClosed, skipped < Self.unreadableLimit
                else {
                    // Without packets, the refusals may concern the folder itself. They must not be counted
                    // as unreadable objects.
                    if !camera.isGuarded { skipped = before }
                    throw error
                }
                skipped += 1
                let which = object.map { "object 0x" + String($0, radix: 16) } ?? "an object"
                Log.line("cannot read \(which) in \(folder): \(error.text)")
            }
        }
    }

    /// Returns an object's description, or `nil` if it can't be read.
    func readable(_ path: CameraPath, _ skipped: inout Int) throws(CameraError) -> CameraObject? {
        do throws(CameraError) {
            let object = try object(at: path)
            camera.markReported(path)
            return object
        } catch {
            if camera.sockets.isClosed || camera.awaitsResponse || camera.isOutOfStep { throw error }
            skipped += 1
            // An unreadable object must not count as missing, because a new listing could not read the object
            // either.
            camera.markReported(path)
            Log.line("cannot read \(path.folder)/\(path.name): \(error.text)")
            return nil
        }
    }
}
