import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Deletes an object on the camera, if it still is the one that was fetched; one that came from the camera's memory
    /// is only given up here.
    mutating func delete(_ id: UInt64, _ object: CameraObject) {
        let path = CameraPath(folder: object.folder, name: object.name)
        if path.isInMemory {
            shelf.remove(path.name)
            return daemon.send(.done(id: id))
        }
        do throws(CameraError) {
            try reveal(path)
            try camera.delete(path, handle: try confirm(object, at: path))
            if !camera.isGuarded { try confirmGone(object, at: path) }
        } catch {
            return daemon.send(.failed(id: id, judge(error, during: "delete")))
        }
        daemon.send(.done(id: id))
        memory?.remove(path)
        readHandles.forget(path)
        lookIntoMemory()
    }

    /// Asks the camera, and not the driver's memory of it, whether an object still is what it was: a card that was
    /// formatted meanwhile begins its names and its handles anew.
    ///
    /// - Returns: the object's handle; 0 where packets are not seen, and the driver's memory has to do.
    private mutating func confirm(_ object: CameraObject, at path: CameraPath) throws(CameraError) -> UInt32 {
        // Where packets are not seen, nothing keeps the driver from deleting all that is there when it cannot find the file
        // (delete_file_func). Only a memory that stops the camera when it is full is emptied all the same.
        guard camera.isGuarded || memory != nil else { throw CameraHandle.photosOnly }
        guard try self.object(at: path) == object else { throw Self.isAnother(path) }
        guard camera.isGuarded else { return 0 }
        let handle = if let read = readHandles[path] { read } else { try handle(of: path) }
        let now: CardObject?
        do throws(CameraError) { now = try camera.object(handle) } catch {
            // No more questions in this session: a memory that is not emptied would keep the camera from going on.
            guard error.kind == .unsupported, memory != nil else { throw error }
            return handle
        }
        guard let now else {
            throw CameraError(
                kind: .notFound, code: 0, operation: "delete",
                text: "\(path.name) is not on the camera any more")
        }
        guard DeletionRule.isStill(now, object, listsCoarsely: camera.listsFolderAtOnce) else {
            throw Self.isAnother(path)
        }
        return handle
    }

    /// The handle by which the driver finds a file: seen when it reads a little of it.
    private mutating func handle(of path: CameraPath) throws(CameraError) -> UInt32 {
        let requests = camera.requests
        _ = try camera.read(path, offset: 0, into: sink.room(for: Self.peekBytes))
        guard camera.requests != requests, let handle = camera.lastRead else {
            throw CameraError(
                kind: .refused, code: 0, operation: "delete",
                text: "the camera does not say which object \(path.name) is")
        }
        return handle
    }

    /// Fails if the driver still lists an object: it reports success whatever the camera answered, and forgets only what was
    /// deleted. The library forgets it in any case.
    private func confirmGone(_ object: CameraObject, at path: CameraPath) throws(CameraError) {
        camera.forgetListings()
        guard let left = try? self.object(at: path), left == object else { return }
        throw CameraError(
            kind: .refused, code: 0, operation: "delete", text: "the camera still has \(path.name)")
    }

    /// Bytes that are read to see a file's handle.
    private static let peekBytes = 512

    private static func isAnother(_ path: CameraPath) -> CameraError {
        CameraError(
            kind: .refused, code: 0, operation: "delete", text: "another photo has the name \(path.name) now")
    }
}
