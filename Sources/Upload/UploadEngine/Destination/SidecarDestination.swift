import Foundation
public import FrameFastModel

/// A place that gets a ``PhotoSidecar`` beside each photo, after it: who reads the folder finds no sidecar without its
/// photo. An upload is done when both are there.
public struct SidecarDestination: UploadDestination {
    private let place: any UploadDestination
    private let host: FleetHostName

    /// Creates a destination.
    ///
    /// - Parameter host: This computer, as the sidecars name it.
    public init(_ place: any UploadDestination, host: FleetHostName) {
        self.place = place
        self.host = host
    }

    /// Uploads a photo, or only its sidecar where an earlier try brought the photo.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        if let earlier = item.resumePoint.flatMap(Delivered.init) {
            try await upload(sidecarOf: item, as: earlier.receipt)
            return earlier.receipt
        }
        let receipt = try await place.upload(item, progress: progress)
        // Nobody looks for what was said of a probe, or of a manifest.
        guard item.role == .photo, item.facts[.probe] == nil else { return receipt }
        await item.saveResumePoint(Delivered(receipt).text)
        try await upload(sidecarOf: item, as: receipt)
        return receipt
    }

    private func upload(
        sidecarOf photo: UploadItem, as receipt: UploadReceipt
    ) async throws(UploadFailure) {
        let sidecar = PhotoSidecar(photo, as: receipt, host: host)
        guard let json = try? sidecar.json else {
            throw UploadFailure(.transient, "The photo's sidecar cannot be written.")
        }
        let file = try SmallFile(
            json, name: "framefast-sidecar-\(UUID().uuidString.lowercased()).json",
            words: "The photo's sidecar")
        let name = receipt.remoteName + PhotoSidecar.ending
        var item = file.item(name, jobID: photo.jobID, station: photo.station, facts: photo.facts)
        item.facts.merge([.name: name, .bytes: String(item.bytes), .sha256: item.sha256]) { $1 }
        // As free as the photo's own name is.
        item.isNameChosen = true
        do throws(UploadFailure) { _ = try await place.upload(item) { _ in } } catch {
            throw UploadFailure(
                error.kind, "The photo is there, its sidecar is not yet: \(error.sentence)",
                nextStep: error.nextStep)
        }
        withExtendedLifetime(file) {}
    }

    /// Whether the place can be reached.
    public func probe() async throws(UploadFailure) { try await place.probe() }
    /// Uploads a probe; it has no sidecar.
    public func test() async throws(UploadFailure) { try await place.test() }
    /// Takes a probe away again.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await place.remove(probe, named: name)
    }
    /// The place's.
    public var takesProbes: Bool { place.takesProbes }
    /// The place's.
    public var takesManifests: Bool { place.takesManifests }
    /// Reads passwords and keys anew.
    public func renew() async { await place.renew() }
    /// The place's.
    public func adopt() async throws(UploadFailure) { try await place.adopt() }
    /// Gives back connections.
    public func close() async { await place.close() }
    /// The place's.
    public func replacesTakenNames() async -> Bool? { await place.replacesTakenNames() }
    /// The place's.
    public var faults: [String] { place.faults }
}

/// What is noted when a photo is there, and its sidecar is not yet.
private struct Delivered: Codable {
    private static let mark = "delivered "

    let receipt: UploadReceipt

    init(_ receipt: UploadReceipt) { self.receipt = receipt }

    /// From what was noted; `nil` for a note of the place's own.
    init?(_ point: String) {
        guard point.hasPrefix(Self.mark) else { return nil }
        let json = Data(point.dropFirst(Self.mark.count).utf8)
        guard let receipt = try? JSONDecoder().decode(UploadReceipt.self, from: json) else { return nil }
        self.receipt = receipt
    }

    var text: String? {
        (try? JSONEncoder().encode(receipt)).map { Self.mark + String(decoding: $0, as: UTF8.self) }
    }
}

extension PhotoSidecar {
    /// Of a photo that was delivered.
    init(_ photo: UploadItem, as receipt: UploadReceipt, host: FleetHostName) {
        let name = receipt.remoteName.split(separator: "/").last.map(String.init) ?? receipt.remoteName
        let own: Facts = [.bytes: String(photo.bytes), .sha256: photo.sha256]
        self.init(
            photo.facts.merging(own) { $1 }, fields: photo.fields, name: name, host: host,
            station: photo.station)
    }
}
