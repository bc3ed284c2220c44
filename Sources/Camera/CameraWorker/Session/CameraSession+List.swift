import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Folders inside folders, at most: DCIM/100ABCDE is 2. A card made to nest without end ends here.
    static let folderDepth = 8
    /// Folders in one listing, at most: DCF allows 900 under DCIM.
    static let folderLimit = 10_000
    /// Objects in one listing, at most.
    static let objectLimit = 1_000_000
    /// Objects without readable facts that one listing gets over.
    static let unreadableLimit = 256

    /// Lists every file on the camera, in the camera's order: at a stretch as the driver does it, or in portions.
    mutating func list(_ id: UInt64) {
        guard habits.canList else {
            return daemon.send(.listed(id: id, shelf.objects, isLast: true, total: shelf.objects.count))
        }
        if beginListing(id) { return }
        camera.forgetListings()
        var part = shelf.objects
        var count = 0
        var skipped = 0
        var folders: [(path: String, depth: Int)] = [("/", 0)]
        var seen = 0
        while let folder = folders.popLast(), seen < Self.folderLimit {
            seen += 1
            do throws(CameraError) {
                for name in try folder.depth == 0 ? [] : files(in: folder.path, skipped: &skipped)
                where count < Self.objectLimit {
                    guard let object = try readable(CameraPath(folder: folder.path, name: name), &skipped)
                    else {
                        continue
                    }
                    part.append(object)
                    memory?.put(object)
                    count += 1
                    if part.count >= WorkerFrame.objectsPerListing {
                        daemon.send(.listed(id: id, part, isLast: false, total: nil))
                        part.removeAll(keepingCapacity: true)
                    }
                }
                guard folder.depth < Self.folderDepth else { continue }
                let names = try camera.folders(in: folder.path)
                let base = folder.path == "/" ? "" : folder.path
                folders.append(contentsOf: names.reversed().map { ("\(base)/\($0)", folder.depth + 1) })
            } catch {
                let failure = judge(error, during: "list")
                // Without its root there is no list; without one folder there is the rest of it.
                if loss != nil || folder.depth <= 1 {
                    return daemon.send(.failed(id: id, failure))
                }
                Log.line("cannot list \(folder.path): \(error.text)")
            }
        }
        if skipped > 0 { Log.line("\(skipped) objects could not be read") }
        daemon.send(.listed(id: id, part, isLast: true, total: nil))
    }

    /// File names in a folder. The driver gives a folder up when the camera refuses one object's information, but
    /// forgets that object: asked again, it gets further.
    func files(in folder: String, skipped: inout Int) throws(CameraError) -> [String] {
        var refusals = FolderRefusals()
        let before = skipped
        while true {
            do throws(CameraError) {
                return try camera.files(in: folder)
            } catch {
                let object = camera.failedObject
                // Where packets are not seen, it may be any object of the folder, or the folder itself.
                let mayBeObject =
                    !camera.isGuarded && error.kind == .refused && refusals.mayAskAgain(after: error.text)
                guard object != nil || mayBeObject,
                    !camera.sockets.isClosed, skipped < Self.unreadableLimit
                else {
                    // A folder that is refused as such has no objects to count, and others may have.
                    if !camera.isGuarded { skipped = before }
                    throw error
                }
                skipped += 1
                let which = object.map { "object 0x" + String($0, radix: 16) } ?? "an object"
                Log.line("cannot read \(which) in \(folder): \(error.text)")
            }
        }
    }

    /// An object's facts, or `nil` when the camera or the driver does not give them.
    func readable(_ path: CameraPath, _ skipped: inout Int) throws(CameraError) -> CameraObject? {
        do throws(CameraError) {
            let object = try object(at: path)
            camera.noteTold(path)
            return object
        } catch {
            if camera.sockets.isClosed || camera.awaitsResponse || camera.isOutOfStep { throw error }
            skipped += 1
            // Listing it again in a new session would not help.
            camera.noteTold(path)
            Log.line("cannot read \(path.folder)/\(path.name): \(error.text)")
            return nil
        }
    }
}
