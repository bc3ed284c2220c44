import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Deletes an object on the camera; one that came from its memory is only given up here.
    mutating func delete(_ id: UInt64, _ path: CameraPath) {
        if path.isInMemory {
            shelf.remove(path.name)
            return daemon.send(.done(id: id))
        }
        do throws(CameraError) {
            if let known = memory?[path], try object(at: path) != known {
                throw CameraError(
                    kind: .refused, code: 0, operation: "delete",
                    text: "another photo has the name \(path.name) now")
            }
            try camera.delete(path)
        } catch {
            return daemon.send(.failed(id: id, judge(error, during: "delete")))
        }
        daemon.send(.done(id: id))
        guard memory != nil else { return }
        memory?.remove(path)
        lookForNamesake(path)
        tellMemory()
    }

    /// Names in a camera's memory begin anew with each session, also while older photos wait there. The driver goes by
    /// names: of two it knows only the first, and shows the second when that is gone.
    private mutating func lookForNamesake(_ path: CameraPath) {
        camera.forgetListings()
        do throws(CameraError) {
            let object = try object(at: path)
            memory?.put(object)
            daemon.send(.objectAdded(object))
        } catch {
            // As a rule there is none.
            if camera.sockets.isClosed || camera.awaitsResponse { judge(error, during: "delete") }
        }
    }
}
