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
            try reveal(path)
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
        memory?.remove(path)
        lookIntoMemory()
    }
}
