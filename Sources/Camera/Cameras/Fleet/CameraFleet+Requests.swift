import Foundation
public import FrameFastModel
import FrameFastSystem
import Logging
public import Makers
import USBHotplug

/// User requests to add, rename, ignore and forget a camera, and the stored records of cameras.
extension CameraFleet {
    /// An error of a request that concerns a camera.
    public enum RosterError: Error, Hashable, Sendable {
        /// The camera does not exist.
        case unknown
        /// The name belongs to another camera.
        case nameTaken(String)
        /// The camera is defined in the configuration and can only be changed there.
        case configured
        /// The camera is plugged in. The service would immediately add the camera again.
        case isHere
        /// The address belongs to another camera.
        case addressTaken(by: String)
        /// The record can't be stored or deleted.
        case storage(String)
    }

    /// Adds a network camera and keeps it connected.
    ///
    /// - Parameter port: The libgphoto2 port path, `ptpip:A.B.C.D:PORT`.
    /// - Returns: The id of the camera.
    public func add(port: String, name: String?, maker: Maker?) async throws(RosterError) -> CameraID {
        if let other = members.values.first(where: { $0.camera.port == port && !$0.isForgotten }) {
            throw .addressTaken(by: other.camera.name)
        }
        if let name, isTaken(name) { throw .nameTaken(name) }
        var camera = options.kept
        camera.name = name ?? freeName(maker.map { "\($0.rawValue) camera" } ?? "camera")
        camera.id = CameraNames.freeID(camera.name) { members[$0] != nil }
        camera.port = port
        members[camera.id] = CameraMember(camera: camera, origin: .kept)
        try await store(
            RosterRecord(
                id: camera.id, name: camera.name, isNamed: name != nil, maker: maker?.name ?? "", port: port,
                network: HostNetworks.current().key(of: port), isKept: true))
        registry.insert(CameraStatus(camera, state: .searching, record: roster[camera.id]))
        requestCheck(of: camera.id)
        return camera.id
    }

    /// Renames a camera. Stored photos of the camera also show the new name.
    public func rename(_ id: CameraID, to name: String) async throws(RosterError) {
        guard let member = members[id] else { throw .unknown }
        guard member.origin != .configured else { throw .configured }
        guard name != member.camera.name else { return }
        guard !isTaken(name) else { throw .nameTaken(name) }
        var record = record(of: id, member)
        record.name = name
        record.isNamed = true
        try await store(record)
        await member.supervisor?.rename(to: name)
    }

    /// Ignores a camera, or stops ignoring it.
    public func ignore(_ id: CameraID, _ isIgnored: Bool) async throws(RosterError) {
        guard let member = members[id] else { throw .unknown }
        var record = record(of: id, member)
        record.isIgnored = isIgnored
        try await store(record)
        members[id]?.isIgnored = isIgnored
        status.clearConditions(of: id)
        if isIgnored {
            registry.change(id) { $0.isIgnored = true }
            if let supervisor = member.supervisor { supervisor.stop(.unwanted) } else { showDisconnected(id) }
        } else {
            registry.change(id) { $0.isIgnored = false }
            if let attachment = member.attachment { show(id, attachment.classification) }
            requestCheck(of: id)
        }
    }

    /// Deletes the record of a camera that is not plugged in. Keeps its photos.
    public func forget(_ id: CameraID) async throws(RosterError) {
        guard let member = members[id] else { throw .unknown }
        guard member.origin != .configured else { throw .configured }
        guard member.attachment == nil else { throw .isHere }
        do { try await storage.delete(id) } catch { throw .storage("\(error)") }
        roster.forget(id)
        status.clearConditions(of: id)
        removeMember(member)
    }

    /// Returns the disconnected camera with this serial number, or `nil` if there is no such camera.
    public func camera(maker: String, serial: String) -> CameraID? {
        roster.camera(maker: maker, serial: serial) { registry.connection(of: $0) == nil }
    }

    /// The classifications of all cameras that are plugged in.
    public var detected: [DeviceClassification] {
        members.values.compactMap { $0.attachment?.classification }
    }

    // MARK: Records

    /// Stores the record of a camera that has connected. A camera that the user has not named gets a name
    /// only once. If the USB product id identifies one model, the camera gets the name when it is plugged in.
    /// Otherwise, this method derives the name from the model at the first connection.
    ///
    /// - Returns: The camera, possibly with a new name, or `nil` if the camera was removed.
    func recordConnection(of id: CameraID, _ facts: CameraFacts) async -> ConfiguredCamera? {
        guard let member = members[id] else { return nil }
        var record =
            roster[id] ?? RosterRecord(id: id, name: member.camera.name, port: member.camera.port)
        if member.origin == .configured {
            record.name = member.camera.name
            record.isNamed = true
        } else if !record.isNamed, record.lastSeenAt == nil, !facts.model.isEmpty,
            !record.name.hasPrefix(CameraNames.slug(facts.model)), !isNamedByProduct(member)
        {
            record.name = freeName(facts.model)
        }
        record.maker = facts.maker
        record.model = facts.model
        record.serial = facts.serial
        record.port = member.camera.port
        record.network = member.camera.isNetwork ? HostNetworks.current().key(of: member.camera.port) : nil
        record.isKept = member.origin == .kept
        record.lastSeenAt = clock.now()
        do { try await store(record) } catch {
            logger.warning("cannot store the camera", metadata: ["reason": "\(error)"])
        }
        return members[id]?.camera
    }

    private func isNamedByProduct(_ member: CameraMember) -> Bool {
        guard let attachment = member.attachment,
            let body = knowledge.bodyName(of: DeviceDescriptors(attachment.device).identity)
        else { return false }
        return member.camera.name.hasPrefix(CameraNames.slug(body))
    }

    func freeName(_ words: String) -> String { CameraNames.free(words, taken: isTaken) }

    private func isTaken(_ name: String) -> Bool {
        roster.isTaken(name) || members.values.contains { $0.camera.name == name }
    }

    private func record(of id: CameraID, _ member: CameraMember) -> RosterRecord {
        roster[id]
            ?? RosterRecord(
                id: id, name: member.camera.name, maker: member.attachment?.classification.maker?.name ?? "",
                model: member.attachment?.classification.model ?? "",
                serial: member.attachment?.device.serial ?? "",
                port: member.camera.port, isKept: member.origin == .kept)
    }

    /// Stores a record. After that, updates the camera's name and status from the record.
    private func store(_ record: RosterRecord) async throws(RosterError) {
        roster.reserveName(of: record)
        do { try await storage.store(record) } catch {
            roster.releaseName(of: record)
            throw .storage("\(error)")
        }
        roster.store(record)
        members[record.id]?.camera.name = record.name
        registry.change(record.id) { status in
            status.name = record.name
            status.lastSeenAt = record.lastSeenAt
        }
    }
}

extension HostNetworks {
    /// Returns the key of the host's network that contains the address of a libgphoto2 port path, or `nil` if
    /// the address is not on any of these networks.
    func key(of port: String) -> String? {
        guard let address = try? NetworkAddress(port) else { return nil }
        return network(of: address.host)?.key.rawValue
    }
}
