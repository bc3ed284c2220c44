import Cameras
import FrameFastModel
import Synchronization

/// The history of a camera, for the rules of the oracle.
extension SimulatedCamera {
    /// The RAW file and the picture of each shot with two files.
    var pairs: [(raw: Shot, picture: Shot)] { state.withLock(\.pairs) }

    /// The photo whose reads end the connection, or `nil`.
    var unreadablePhoto: Shot? { state.withLock(\.unreadablePhoto) }

    /// The identity of the current connection, or `nil` while the camera is not connected.
    var connectionIdentity: UInt64? { state.withLock { $0.connection?.session.identity } }

    /// Whether the card still has a photo with these facts and bytes.
    func has(_ object: CameraObject, sha256: String) -> Bool {
        state.withLock { $0.card.contains { $0.object == object && $0.sha256 == sha256 } }
    }

    /// Returns the number of complete reads of a photo.
    func reads(of shot: Shot) -> Int { state.withLock { $0.reads[shot] ?? 0 } }

    /// Whether the facts of a photo were misread. The service may then read the photo again to compare it.
    func wasMisread(_ shot: Shot) -> Bool {
        state.withLock { $0.isMisplaced || $0.misread.contains(shot.object) }
    }

    /// The photos that were announced once and read once, and that were not listed before the read. In the
    /// order of their announcements, for each connection.
    var shotsReadInOrder: [[Shot]] {
        state.withLock { state in
            let shots = state.announcements.filter { announcement in
                let shot = announcement.shot
                return state.readBeforeListing.contains(shot) && !state.misread.contains(shot.object)
                    && state.requests[shot] == 1 && state.reads[shot] == 1
            }
            return Dictionary(grouping: shots, by: \.connection).sorted { $0.key < $1.key }
                .map { $0.value.map(\.shot) }
        }
    }
}
