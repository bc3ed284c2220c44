import APIServer
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import PictureProtocol
import Previews

/// The endpoints that return pictures of shots. The caller's role and session decide what is visible.
struct ShotPictureHandler: EndpointHandler {
    let shots: ShotHandler
    let previews: PreviewService
    /// The threads that read full-size pictures.
    private let files = BlockingPool(label: "framefast.originals", width: 2)

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.shots.thumbnail) { id, query throws(ControlError) in
            try await picture(.thumbnail, id, query)
        }
        table.handle(\.shots.screen) { id, query throws(ControlError) in
            try await picture(.screen, id, query)
        }
        table.handle(\.shots.full, with: full)
        table.handle(\.shots.histogram, with: histogram)
    }

    /// Returns a picture that the picture worker makes.
    func picture(_ task: PictureTask, _ id: ShotID, _ query: ShotPictureQuery) async throws(ControlError)
        -> ShotPicture
    {
        guard let revision = try await shots.visibleShot(id).revision else { throw Self.noPicture(id) }
        return ShotPicture(revision: revision, requestedRevision: query.v) { () throws(ControlError) in
            try await firstSource(of: id) { photo, revision throws(PreviewError) in
                let content = try await previews.content(task, of: photo)
                return ShotPicture.Content(revision: revision, body: body(of: content))
            }
        }
    }

    /// Returns the JPEG of a shot, or the largest JPEG in its RAW file.
    func full(_ id: ShotID, _ query: ShotPictureQuery) async throws(ControlError) -> ShotPicture {
        let shot = try await shots.visibleShot(id)
        guard let original = shot.files.first(where: { $0.isLocalJPEG }), let path = original.path,
            let sha256 = original.sha256
        else { return try await picture(.fullSize, id, query) }
        let revision = String(sha256.prefix(ShotOverview.revisionDigits))
        return ShotPicture(revision: revision, requestedRevision: query.v) { () throws(ControlError) in
            let file = try await openOriginal(path, size: original.size, id)
            return ShotPicture.Content(revision: revision, body: body(reading: file))
        }
    }

    /// Returns the histogram of the picture of a shot.
    func histogram(_ id: ShotID) async throws(ControlError) -> HistogramReply {
        let facts = try await firstSource(of: id) { photo, _ throws(PreviewError) in
            try await previews.facts(of: photo)
        }
        return HistogramReply(
            red: facts.histogram.red.map(Int.init), green: facts.histogram.green.map(Int.init),
            blue: facts.histogram.blue.map(Int.init), clippedShadows: facts.clippedShadows,
            clippedHighlights: facts.clippedHighlights)
    }

    /// Calls `body` with the photo that represents a shot. If this photo has no picture, calls `body` again
    /// with the next photo of the shot.
    private func firstSource<Value: Sendable>(
        of id: ShotID, _ body: (_ photo: PreviewPhoto, _ revision: String) async throws(PreviewError) -> Value
    ) async throws(ControlError) -> Value {
        var tried: Set<CaptureID> = []
        while true {
            // Read the shot before each attempt, because an attempt that finds no picture records in the
            // ledger that its photo has none.
            let shot = try await shots.visibleShot(id)
            guard let file = shot.pictureSource, tried.insert(file.id).inserted, let photo = file.photo,
                let revision = shot.revision
            else { throw Self.noPicture(id) }
            do throws(PreviewError) { return try await body(photo, revision) } catch {
                guard error == .noPreview else { throw ControlError(error, id) }
            }
        }
    }

    /// Opens an original, and checks its size.
    private func openOriginal(
        _ path: String, size: UInt64, _ id: ShotID
    ) async throws(ControlError) -> PictureFile {
        let file: PictureFile
        do throws(SystemCallError) {
            file = try await files.run { () throws(SystemCallError) -> PictureFile in
                try PictureFile(path)
            }
        } catch {
            let reason: PreviewError = error.isPathMissing ? .photoMissing : .unavailable("\(error)")
            throw ControlError(reason, id)
        }
        guard file.size == size else { throw ControlError(.photoChanged, id) }
        return file
    }

    private func body(of content: PictureContent) -> ShotPicture.Content.Body {
        switch content {
        case .bytes(let bytes): .bytes(bytes)
        case .file(let file): body(reading: file)
        }
    }

    /// Returns a body that reads a file in parts while it is sent. Errors contain the path, for the log.
    private func body(reading file: PictureFile) -> ShotPicture.Content.Body {
        let read: @Sendable (Int, Int) async throws -> [UInt8] = { [files] offset, countMax in
            let bytes: [UInt8]
            do throws(SystemCallError) {
                bytes = try await files.run { () throws(SystemCallError) -> [UInt8] in
                    try file.read(at: offset, countMax: countMax)
                }
            } catch {
                throw ControlError(.internal, "\(error)")
            }
            guard !bytes.isEmpty else {
                throw ControlError(.internal, "cannot send \(file.path): the file became shorter")
            }
            return bytes
        }
        return .file(length: Int(clamping: file.size), read: read)
    }

    private static func noPicture(_ id: ShotID) -> ControlError { ControlError(.noPreview, id) }
}

extension ShotOverview.File {
    /// Whether the file is a JPEG that is on this computer.
    fileprivate var isLocalJPEG: Bool {
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        return state == .saved && !isCleared && ["jpg", "jpeg", "jpe"].contains(ending)
    }

    /// The file for the preview service, or `nil` if the file was not saved.
    var photo: PreviewPhoto? {
        guard let path, let sha256 else { return nil }
        return PreviewPhoto(capture: id, sha256: sha256, path: path, bytes: size)
    }
}

extension ShotOverview {
    /// The photo that represents the shot, or `nil` if its preview is known or the photo is not on this
    /// computer.
    var unexaminedPhoto: PreviewPhoto? {
        guard let source = pictureSource, !source.isCleared, source.preview?.state != .missing,
            source.preview?.meanColor == nil
        else { return nil }
        return source.photo
    }
}

extension ControlError {
    /// Creates the error for a picture that is not available.
    fileprivate init(_ error: PreviewError, _ shot: ShotID) {
        switch error {
        case .noPreview:
            self.init(
                .notFound, "there is no preview of shot \(shot)",
                nextStep: "Open the photo itself. Its pictures are missing, damaged or too large.")
        case .photoMissing:
            self.init(
                .notFound, "the file of shot \(shot) is not on this computer",
                nextStep: "It may have been removed after its delivery: see 'framefast captures'.")
        case .photoChanged:
            self.init(
                .notFound, "the file of shot \(shot) was changed after it was saved",
                nextStep: "Open the file itself.")
        case .busy:
            self.init(
                .unavailable, "cannot make the picture of shot \(shot): too many pictures are waiting",
                nextStep: "Try again in a few seconds.")
        case .stopping, .cancelled:
            self.init(
                .unavailable, "cannot make the picture of shot \(shot): the service is stopping",
                nextStep: "Try again after the service has started.")
        case .unavailable:
            self.init(
                .unavailable, "cannot make the picture of shot \(shot) now",
                nextStep: "Try again. The service's log has the reason.")
        }
    }
}
