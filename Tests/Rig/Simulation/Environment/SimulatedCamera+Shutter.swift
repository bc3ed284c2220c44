import Cameras
import Foundation
import FrameFastModel
import Synchronization

/// Taking and announcing photos.
extension SimulatedCamera {
    /// The number of shots after which the camera uses another folder and repeats file names.
    private static let namesInFolder = 12
    /// The size of a RAF file's header with its directory, in bytes.
    private static let rawHeaderBytes = 108
    /// The offset of the directory in a RAF file.
    private static let rawDirectoryOffset = 84

    /// Takes a shot. After some shots, the camera uses the next folder and repeats file names.
    ///
    /// - Parameters:
    ///   - size: The minimum size of each file, in bytes.
    ///   - secondsLater: The time since the previous shot, in seconds. With 0, both shots have the same time.
    ///   - time: The camera's time in seconds since 1970, or `nil` to use `secondsLater`.
    /// - Returns: The files of the shot.
    @discardableResult
    func shoot(_ kind: AnnouncementKind, size: Int, secondsLater: Int64, at time: Int64? = nil) -> [Shot] {
        let (shots, objects, connection) = state.withLock { state -> ([Shot], [CameraObject], Connection?) in
            state.number += 1
            state.time = time ?? state.time + secondsLater
            let shots = makeShots(&state, size: size)
            let all = shots + (traits.usesTwoCards ? shots.map(\.onSecondCard) : [])
            state.card += all
            state.taken += shots
            guard let connection = state.connection else { return (shots, [], nil) }
            switch kind {
            case .announced:
                state.announcements += shots.map {
                    Announcement(connection: connection.session.identity, shot: $0)
                }
            case .announcedTwice: break
            case .misread: state.misread.formUnion(shots.map(\.object))
            case .lost:
                state.unannounced += all.count
                state.unreported += shots
            }
            state.connection?.objects = state.card.map(\.object)
            return (shots, all.map(\.object), connection)
        }
        guard let connection else { return shots }
        for object in objects {
            switch kind {
            case .announced: connection.notices.yield([.objectAdded(object)])
            case .announcedTwice:
                connection.notices.yield([.objectAdded(object)])
                connection.notices.yield([.objectAdded(object)])
            case .lost: break
            case .misread:
                var misread = object
                misread.folder = Self.unreadable
                connection.notices.yield([.objectAdded(misread)])
                connection.notices.yield([.objectAdded(object)])
            }
        }
        return shots
    }

    /// Takes three photos. The camera cannot read the first photo, and each attempt ends the connection.
    ///
    /// Takes no photo while folder names are unreadable, because the service may then know a photo by two
    /// names.
    ///
    /// - Parameter time: The camera's time in seconds since 1970, or `nil` for one second per photo.
    func shootUnreadable(size: Int, at time: Int64?) {
        guard !state.withLock(\.isMisplaced) else { return }
        let shots = shoot(.announced, size: size, secondsLater: 1, at: time)
        state.withLock { $0.unreadablePhoto = shots.first }
        shoot(.announced, size: size, secondsLater: 1, at: time)
        shoot(.announced, size: size, secondsLater: 1, at: time)
    }

    /// Makes the camera take a photo at its next deletion.
    func shootAtNextDeletion() { state.withLock { $0.shotsAtDeletion += 1 } }

    /// If ``shootAtNextDeletion()`` was called, takes and announces a photo with the name of a deleted
    /// picture, before the service learns of the deletion. If no photo was taken since the deleted picture,
    /// the two photos also have the same size and time.
    ///
    /// Takes no photo while folder names are unreadable. A photo that is listed in two folders is deleted
    /// once under each folder, and the second deletion would delete the new photo. For the same reason, a
    /// camera with two cards takes no photo.
    func shoot(atDeletionOf deleted: Shot, _ trace: SimulationTrace) {
        guard !traits.usesTwoCards, MediaKind(fileName: deleted.object.name) == .picture else { return }
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

    // MARK: files

    /// Creates the files of the next shot, in the order of their announcements.
    private func makeShots(_ state: inout State, size: Int) -> [Shot] {
        let (folder, stem) = nextFileName(state)
        let (words, time) = ("\(id) \(state.number)", state.time)
        func shot(_ ext: String, _ bytes: Data) -> Shot {
            Shot(
                object: CameraObject(
                    folder: folder, name: "\(stem).\(ext)", size: UInt64(bytes.count), cameraTime: time),
                bytes: bytes)
        }
        let picture = shot("JPG", Self.photo(words, size: size))
        guard traits.takesPairs, state.number.isMultiple(of: 2) else { return [picture] }
        let raw = shot("RAF", Self.rawPhoto(words, size: size))
        state.pairs.append((raw, picture))
        // Some cameras write the RAW file first, others the picture.
        return state.number.isMultiple(of: 4) ? [raw, picture] : [picture, raw]
    }

    /// Returns the folder of the next shot, and its file name without extension.
    private func nextFileName(_ state: State) -> (folder: String, stem: String) {
        guard traits.reusesNames else { return Self.fileName(state.number) }
        let used = Set(state.card.map { String($0.object.path.prefix { $0 != "." }) })
        var number = 1
        while true {
            let (folder, stem) = Self.fileName(number)
            if !used.contains("\(folder)/\(stem)") { return (folder, stem) }
            number += 1
        }
    }

    private static func fileName(_ number: Int) -> (folder: String, stem: String) {
        (
            "\(photoFolder)/\(100 + number / namesInFolder)CANON",
            String(format: "IMG_%04d", 1 + number % namesInFolder)
        )
    }

    /// Returns a JPEG of at least this size, with the text in a comment.
    static func photo(_ words: String, size: Int) -> Data {
        let comment = Data(words.utf8)
        let length = UInt16(comment.count + 2)
        var jpeg = Data([0xFF, 0xD8, 0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]) + comment
        jpeg += Data([0xFF, 0xDA, 0, 2])
        jpeg += Data(repeating: 0x55, count: max(1, size - jpeg.count - 2))
        return jpeg + Data([0xFF, 0xD9])
    }

    /// Returns a RAF file with at least this many bytes after its header, and with the text in the header.
    /// The header contains no picture.
    private static func rawPhoto(_ words: String, size: Int) -> Data {
        var raw = Data("FUJIFILMCCD-RAW \(words)".utf8.prefix(rawDirectoryOffset))
        raw += Data(count: rawHeaderBytes - raw.count)
        raw += Data(repeating: 0x55, count: size)
        return raw + Data([0xFF, 0xD9])
    }
}
