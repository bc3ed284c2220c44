import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel

extension ShotFlags {
    /// Creates the flags of a shot.
    init(_ shot: ShotOverview) {
        self = []
        for file in shot.files {
            if file.state == .setAside { insert(.damaged) }
            switch file.kind {
            case .raw: insert(.raw)
            case .picture: insert(.jpeg)
            case .movie: insert(.movie)
            case .other: break
            }
        }
        let deliveries = shot.files.compactMap(\.isDelivered)
        if !deliveries.isEmpty, !deliveries.contains(false) { insert(.delivered) }
        if shot.opinions.contains(where: { $0.comment != nil }) { insert(.comment) }
        let source = shot.pictureSource
        if source == nil || source?.preview?.state == .missing { insert(.noPreview) }
    }
}

extension ShotChangeReply {
    /// Creates the content of an event about a shot.
    init(_ shot: ShotOverview) {
        let (verdict, preview) = (shot.verdict, shot.pictureSource?.preview)
        self.init(
            id: shot.id, files: shot.files.map(\.id), session: shot.session, revision: shot.revision,
            width: preview?.width, height: preview?.height, color: preview?.meanColor, stars: verdict.stars,
            pick: verdict.pick, flags: ShotFlags(shot))
    }
}

extension ShotReply {
    /// Creates the reply for a shot.
    ///
    /// - Parameters:
    ///   - opinions: The opinions that the caller may see.
    ///   - callerKey: The identity of the caller, or `nil` if it is not known.
    init(_ shot: ShotOverview, opinions: [Opinion], callerKey: String?, naming: CaptureNaming) {
        let (verdict, preview) = (shot.verdict, shot.pictureSource?.preview)
        let camera = naming.camera(shot.bodyID)
        self.init(
            id: shot.id, revision: shot.revision, width: preview?.width, height: preview?.height,
            color: preview?.meanColor, stars: verdict.stars, pick: verdict.pick, flags: ShotFlags(shot),
            capturedAt: shot.takenAt(cameraZone: camera.zone), cameraName: camera.name,
            session: shot.session, sessionName: naming.session(shot.session)?.name,
            files: shot.files.map(ShotFileReply.init),
            opinions: opinions.map { OpinionReply($0, isOwn: $0.authorKey == callerKey) })
    }
}

extension ShotFileReply {
    /// Creates the reply for a file. The reply contains the name of the saved file without its folder.
    init(_ file: ShotOverview.File) {
        let saved = file.path?.split(separator: "/").last.map(String.init)
        self.init(
            id: file.id, name: saved ?? file.name, size: Int64(clamping: file.size),
            isDamaged: file.state == .setAside)
    }
}

extension OpinionReply {
    /// Creates the reply for an opinion.
    init(_ opinion: Opinion, isOwn: Bool) {
        self.init(
            author: opinion.author, role: opinion.role, isOwn: isOwn, stars: opinion.stars,
            pick: opinion.pick,
            comment: opinion.comment, at: opinion.at)
    }
}

extension ShotsReply {
    /// Creates a page of shots.
    init(_ shots: [ShotOverview], naming: CaptureNaming, nextCursor: ShotID?) {
        self.init(nextCursor: nextCursor)
        var bodies: [BodyID: PhotoCamera] = [:]
        var places: [String: Int] = [:]
        for shot in shots {
            let camera = bodies[shot.bodyID] ?? naming.camera(shot.bodyID)
            bodies[shot.bodyID] = camera
            let place = places[camera.name] ?? cameraNames.count
            if places.updateValue(place, forKey: camera.name) == nil { cameraNames.append(camera.name) }
            let (verdict, preview) = (shot.verdict, shot.pictureSource?.preview)
            ids.append(shot.id)
            revisions.append(shot.revision)
            widths.append(preview?.width)
            heights.append(preview?.height)
            colors.append(preview?.meanColor)
            stars.append(verdict.stars)
            picks.append(verdict.pick)
            flags.append(ShotFlags(shot).rawValue)
            let time = shot.takenAt(cameraZone: camera.zone).timeIntervalSince1970 * 1000
            times.append(Int64(time.rounded()))
            cameras.append(place)
        }
    }
}
