import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import ShotPictures
import Store
import UploadEngine
import WebServer

/// Shots on a contact sheet: their pictures, and what people say of them.
struct ShotHandler: EndpointHandler {
    /// Longest sides of pictures, in pixels: for a screen, and of all that is there.
    private static let screenSide = 2_048
    private static let fullSide = 16_384
    /// Digits of a photo's hash that stand for its picture.
    private static let versionDigits = 12
    /// Whoever uses the socket.
    static let owner = ShotRating.Rater(id: "", name: "owner", isOwner: true)

    let ledger: LedgerStore
    let lookup: CameraLookup
    let uploads: UploadService
    let sidecars: SidecarService
    let pictures: ShotPictures
    let hub: EventHub

    func attach(to table: inout EndpointTable) {
        table.on(\.shots.list, list)
        table.on(\.shots.get, get)
        table.on(\.shots.sheet) { id, _ throws(ControlError) in try await picture(of: id, .sheet) }
        table.on(\.shots.screen) { id, _ throws(ControlError) in try await picture(of: id, .screen) }
        table.on(\.shots.full) { id, _ throws(ControlError) in try await picture(of: id, .full) }
        table.on(\.shots.rate) { id, request throws(ControlError) in
            try await rate(id, request, by: Self.owner)
        }
    }

    // MARK: Lists

    func list(_ query: ShotsQuery) async throws(ControlError) -> ShotsReply {
        let limit = min(max(query.limit ?? ShotsReply.limitMax, 1), ShotsReply.limitMax)
        let before: ShotID? = try .before(query.cursor)
        let shots = try await ledger.asking {
            try await $0.shotsOnSheet(before: before, session: query.session, limit: limit)
        }
        var reply = rows(shots)
        reply.nextCursor = shots.count == limit ? shots.last?.id.description : nil
        return reply
    }

    func get(_ id: ShotID) async throws(ControlError) -> ShotReply { try await get(id, for: Self.owner) }

    /// A shot, for somebody who may have said something of it.
    func get(_ id: ShotID, for rater: ShotRating.Rater) async throws(ControlError) -> ShotReply {
        let shot = try await shot(id)
        // Looked at only where it is there: a list of ratings must not wait for a picture.
        var histogram: [Int] = []
        if let file = files(of: shot, .sheet).first(where: { $0.picture?.outcome == 0 }), let path = file.path
        {
            let photo = PictureSource(content: file.content, path: path)
            histogram = (try? await pictures.picture(of: photo))?.histogram ?? []
        }
        return reply(shot, for: rater, histogram: histogram)
    }

    /// Tells all who look of a shot, when it is one that is saved.
    func tell(_ id: ShotID) async {
        guard let shot = try? await ledger.shotOnSheet(id) else { return }
        hub.publish(.shot(rows([shot])))
    }

    /// A shot, whatever session it is of.
    func shot(_ id: ShotID) async throws(ControlError) -> ShotOnSheet {
        guard let shot = try await ledger.asking({ try await $0.shotOnSheet(id) }) else {
            throw ControlError(.notFound, "there is no saved shot \(id)")
        }
        return shot
    }

    // MARK: Ratings

    func rate(
        _ id: ShotID, _ request: RatingRequest, by rater: ShotRating.Rater
    ) async throws(ControlError) -> ShotReply {
        let now = Date()
        let rated = try await ledger.asking { ledger in
            try await ledger.rate(id, by: rater, at: now) { rating in
                request.stars.apply(to: &rating.stars)
                request.pick.apply(to: &rating.pick)
                request.comment.apply(to: &rating.comment)
            }
        }
        guard let shot = rated else { throw ControlError(.notFound, "there is no saved shot \(id)") }
        // What was held for want of stars may go now, and what was to go may not.
        await uploads.rated(shot.files.map(\.id))
        sidecars.ratingsChanged()
        hub.publish(.shot(rows([shot])))
        return reply(shot, for: rater, histogram: [])
    }

    // MARK: Pictures

    func picture(of id: ShotID, _ size: ShotPictureSize) async throws(ControlError) -> StillPicture {
        let shot = try await shot(id)
        for file in files(of: shot, size) {
            guard let path = file.path, file.picture?.outcome ?? 0 == 0 else { continue }
            let photo = PictureSource(content: file.content, path: path)
            let made: MadePicture
            do throws(ShotPictures.Failure) {
                made = try await pictures.picture(of: photo, side: Self.side(size))
            } catch {
                throw ControlError(error, shot: id)
            }
            if file.picture == nil, size == .sheet {
                let facts = PictureFacts(
                    outcome: Int(made.outcome.rawValue), width: made.width, height: made.height,
                    colour: made.mean.number)
                _ = try await ledger.asking { try await $0.keep(facts, ofPhoto: file.content) }
                await tell(id)
            }
            if made.outcome == .made {
                return StillPicture(jpeg: Data(made.jpeg), version: Self.version(file))
            }
        }
        throw ControlError(.notFound, "there is no picture of shot \(id)")
    }

    /// The files of a shot, the one whose picture is to be shown first: a RAW's preview is smaller than its JPEG and the same
    /// picture; for every pixel the JPEG goes first.
    private func files(of shot: ShotOnSheet, _ size: ShotPictureSize) -> [ShotOnSheet.File] {
        let raws = shot.files.filter { MediaKind(fileName: $0.name) == .raw }
        let others = shot.files.filter { MediaKind(fileName: $0.name) != .raw }
        return size == .full ? others + raws : raws + others
    }

    private static func side(_ size: ShotPictureSize) -> Int {
        switch size {
        case .sheet: ShotPictures.sheetSide
        case .screen: screenSide
        case .full: fullSide
        }
    }

    private static func version(_ file: ShotOnSheet.File) -> String {
        String(file.content.prefix(versionDigits))
    }

    // MARK: Answers

    private func reply(_ shot: ShotOnSheet, for rater: ShotRating.Rater, histogram: [Int]) -> ShotReply {
        ShotReply(
            sheet: rows([shot]),
            ratings: shot.ratings.map {
                .init(
                    by: $0.rater.name, isMine: $0.rater.id == rater.id, stars: $0.stars, pick: $0.pick,
                    comment: $0.comment, at: $0.givenAt)
            }, histogram: histogram)
    }

    private func rows(_ shots: [ShotOnSheet]) -> ShotsReply {
        var reply = ShotsReply()
        var places: [CameraID?: Int] = [:]
        for shot in shots {
            if places[shot.camera] == nil {
                places[shot.camera] = reply.cameraNames.count
                reply.cameraNames.append(shot.camera.map(cameraName) ?? "")
            }
            let files = files(of: shot, .sheet)
            let shown = files.first { $0.picture?.outcome == 0 } ?? files.first { $0.picture == nil }
            let facts = shown?.picture
            let (stem, _) = SafeName.split(shot.files.first?.name ?? "")
            let pick = ShotRating.pick(of: shot.ratings)
            reply.id.append(shot.id)
            reply.name.append(stem)
            reply.kind.append(
                shot.files.map { SafeName.split($0.name).ext.lowercased() }.joined(separator: "+"))
            reply.camera.append(places[shot.camera] ?? 0)
            reply.version.append(shown.map(Self.version) ?? "")
            reply.width.append(facts?.width ?? 0)
            reply.height.append(facts?.height ?? 0)
            reply.colour.append(facts.map { Self.hex($0.colour) } ?? "")
            reply.stars.append(shot.stars)
            reply.pick.append(pick.map { $0 ? 1 : -1 } ?? 0)
            reply.comments.append(shot.ratings.count { $0.comment != nil })
            reply.savedAt.append(Int(shot.savedAt.timeIntervalSince1970))
            reply.session.append(shot.session.map { Int($0.rawValue) } ?? 0)
        }
        return reply
    }

    private func cameraName(_ id: CameraID) -> String { lookup.registry.camera(id)?.name ?? id.rawValue }

    private static func hex(_ colour: Int) -> String {
        let digits = String(colour, radix: 16)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}

extension ControlError {
    fileprivate init(_ failure: ShotPictures.Failure, shot: ShotID) {
        switch failure {
        case .busy: self.init(.unavailable, "there was no time for the picture")
        case .file(let reason): self.init(.unavailable, "cannot open the file of shot \(shot): \(reason)")
        case .program(let reason): self.init(.internal, reason)
        }
    }
}
