import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Makers

/// Cameras that are named, left alone, asked for and forgotten; and the manufacturer picker.
extension DaemonControl {
    func attachCameras(to table: inout EndpointTable) {
        table.on(\.cameras.list, cameras)
        table.on(\.cameras.get, camera)
        table.on(\.cameras.add, addCamera)
        table.on(\.cameras.rename, renameCamera)
        table.on(\.cameras.ignore, ignoreCamera)
        table.on(\.cameras.forget, forgetCamera)
        table.on(\.cameras.trigger, trigger)
        table.on(\.cameras.triggerAll, triggerAll)
        table.on(\.cameras.makers, makers)
        table.on(\.cameras.discover, discover)
    }

    func addCamera(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply {
        let address = try networkAddress(request.address)
        let maker = try self.maker(request.maker)
        if let name = request.name { try check(name: name) }
        let id: CameraID
        do { id = try await fleet.add(port: address.portPath, name: request.name, maker: maker) } catch {
            throw ControlError(error, cameraName: request.name ?? request.address)
        }
        return try await camera(CameraReference(id))
    }

    func renameCamera(
        _ reference: CameraReference, _ request: CameraRenameRequest
    ) async throws(ControlError) -> CameraReply {
        let name = request.name
        try check(name: name)
        let before = try known(reference)
        let id = before.id
        do { try await fleet.rename(id, to: name) } catch {
            throw ControlError(error, cameraName: before.name)
        }
        if let status = registry.camera(id), let session = registry.session(of: id),
            let identity = engine.identity(ofCamera: id)
        {
            engine.naming.learn(
                PhotoCamera(status, zone: session.configured.zone), identity: identity)
        }
        return try await camera(CameraReference(id))
    }

    func ignoreCamera(
        _ reference: CameraReference, _ request: CameraIgnoreRequest
    ) async throws(ControlError) -> CameraReply {
        let camera = try known(reference)
        do { try await fleet.ignore(camera.id, request.ignored) } catch {
            throw ControlError(error, cameraName: camera.name)
        }
        return try await self.camera(CameraReference(camera.id))
    }

    func forgetCamera(_ reference: CameraReference) async throws(ControlError) -> CamerasReply {
        let camera = try known(reference)
        do { try await fleet.forget(camera.id) } catch {
            throw ControlError(error, cameraName: camera.name)
        }
        return try await cameras()
    }

    func makers() async throws(ControlError) -> MakersReply {
        let picker = MakerPicker(knowledge)
        // "Not sure" is the view's own row: it has no maker.
        let makers: [MakerReply] = picker.rows(detected: await fleet.detected).compactMap { row in
            guard let maker = row.maker else { return nil }
            let network = GuidanceReply(
                sentence: "Connect the \(maker.name) over the network.",
                steps: picker.lines(for: maker, .network, model: nil))
            return MakerReply(
                id: maker.rawValue, name: row.name, summary: row.line, isDetected: row.isDetected,
                usb: GuidanceReply(
                    sentence: "Connect the \(maker.name) by USB.",
                    steps: picker.lines(for: maker, .usb, model: row.models.first)),
                network: knowledge.entry(for: maker)?.network.isPossible == true ? network : nil)
        }
        return MakersReply(makers: makers)
    }

    // MARK: parts

    /// The camera that a person means.
    func known(_ reference: CameraReference) throws(ControlError) -> CameraStatus {
        guard let status = lookup.camera(reference) else { throw unknownCamera(reference) }
        return status
    }

    /// The camera whose photos on record a person means; `nil` for all cameras.
    func onRecord(_ reference: CameraReference?) async throws(ControlError) -> CameraID? {
        guard let reference else { return nil }
        return try await asking { [lookup] in try await lookup.onRecord(reference) }
    }

    private var lookup: CameraLookup { CameraLookup(registry: registry, ledger: ledger) }

    func maker(_ word: String?) throws(ControlError) -> Maker? {
        guard let word else { return nil }
        guard let maker = Maker(rawValue: word) else {
            throw ControlError(
                .invalid, "there is no maker '\(word)'", nextStep: "See 'framefast connect', or leave it out."
            )
        }
        return maker
    }

    func networkAddress(_ text: String) throws(ControlError) -> NetworkAddress {
        do throws(NetworkAddressError) { return try NetworkAddress(text) } catch {
            throw ControlError(
                .invalid, error.description, nextStep: "Write it like 192.168.1.5 or 192.168.1.5:15740.")
        }
    }

    private func check(name: String) throws(ControlError) {
        guard CameraNameText.isValid(name) else {
            throw ControlError(
                .invalid, "cannot call a camera '\(name)'",
                nextStep:
                    "It becomes part of file names: use letters, digits, '-', '_' and '.', like studio-a.")
        }
    }
}

extension MakerPicker {
    /// The steps as lines; those for some bodies only say for which.
    fileprivate func lines(for maker: Maker?, _ connection: CameraConnection, model: String?) -> [String] {
        steps(for: maker, connection: connection, model: model).flatMap { group in
            group.steps.map { step in group.bodies.map { "\($0): \(step)" } ?? step }
        }
    }
}

extension ControlError {
    fileprivate init(_ error: CameraFleet.RosterError, cameraName: String) {
        switch error {
        case .unknown: self.init(.notFound, "there is no camera '\(cameraName)'")
        case .nameTaken(let name):
            self.init(
                .conflict, "the name '\(name)' is taken",
                nextStep: "Choose another, or rename that camera first.")
        case .configured:
            self.init(
                .conflict, "camera '\(cameraName)' is named in the configuration",
                nextStep: "Change its [[camera]] table, then reload: sudo systemctl reload framefastd")
        case .isHere:
            self.init(
                .conflict, "camera '\(cameraName)' is plugged in",
                nextStep: "Unplug it first, or leave it alone with 'framefast cameras ignore \(cameraName)'.")
        case .addressTaken(let other):
            self.init(.conflict, "camera '\(other)' has that address", nextStep: "See 'framefast cameras'.")
        case .storage(let reason):
            self.init(.internal, "cannot remember that: \(reason)", nextStep: "Check the service's log.")
        }
    }
}
