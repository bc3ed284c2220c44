import Cameras
import Foundation
import FrameFastModel
import Synchronization

/// Photos that are taken at a deletion, and the reads of each photo.
extension SimulatedCamera {
    /// Makes the camera take a photo at its next deletion.
    func shootAtNextDeletion() { state.withLock { $0.shotsAtDeletion += 1 } }

    /// Takes and announces a photo that gets the name of a deleted photo, before the service learns of the
    /// deletion. If no photo was taken since the deleted photo, both photos also have the same size and time.
    ///
    /// Takes no photo while folder names are unreadable. A photo that is listed in two folders is deleted
    /// once under each folder, and the second deletion would delete the new photo.
    func shoot(atDeletionOf deleted: Shot, _ trace: SimulationTrace) {
        let announcement = state.withLock { state -> (CameraObject, Connection)? in
            guard state.shotsAtDeletion > 0, !state.isMisplaced, let connection = state.connection else {
                return nil
            }
            state.shotsAtDeletion -= 1
            state.number += 1
            let bytes = Self.photo("\(id) \(state.number)", size: deleted.bytes.count)
            var object = deleted.object
            object.size = UInt64(bytes.count)
            object.cameraTime = state.time
            let shot = Shot(object: object, bytes: bytes)
            state.card.append(shot)
            state.taken.append(shot)
            state.connection?.objects = state.card.map(\.object)
            return (object, connection)
        }
        guard let (object, connection) = announcement else { return }
        trace.add("\(id): takes a photo with the name of the deleted photo")
        connection.notices.yield([.objectAdded(object)])
    }

    /// Returns the number of complete reads of a photo.
    func reads(of shot: Shot) -> Int { state.withLock { $0.reads[shot] ?? 0 } }

    /// Whether the facts of a photo were misread. The service may then read the photo again to compare it.
    func wasMisread(_ shot: Shot) -> Bool {
        state.withLock { $0.isMisplaced || $0.misread.contains(shot.object) }
    }
}
