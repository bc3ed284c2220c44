import APIServer
import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Store

/// The endpoints that list, add, rename, ignore and forget cameras.
struct CameraHandler: EndpointHandler {
    let registry: CameraRegistry
    let ledger: LedgerStore
    let lookup: CameraLookup
    let fleet: CameraFleet
    let engine: CaptureEngine
    let newest: NewestCaptures
    let intervals: IntervalPlans

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.list, with: list)
        table.handle(\.cameras.get, with: get)
        table.handle(\.cameras.add, with: add)
        table.handle(\.cameras.rename, with: rename)
        table.handle(\.cameras.ignore, with: ignore)
        table.handle(\.cameras.forget, with: forget)
    }

    func list() async throws(ControlError) -> CamerasReply {
        let pending = try await ledger.mapErrors { ledger in
            try await newest.lookUp(
                registry.all.map { ($0.id, engine.naming.identity(ofCamera: $0.id)) }, in: ledger)
            return try await ledger.pendingCounts()
        }
        // Read the registry again, because cameras may have changed during the query. Use the query's counts,
        // because the registry may not have received them yet. Do not store them in the registry, because
        // they could replace newer counts.
        return CamerasReply(
            cameras: registry.all.map { status in
                var status = status
                status.pending = pending[status.id] ?? 0
                return CameraReply(status, newest: newest)
            })
    }

    func get(_ reference: CameraReference) async throws(ControlError) -> CameraReply {
        let id = try lookup.camera(reference).id
        guard let camera = try await list().cameras.first(where: { $0.id == id }) else {
            throw lookup.notFoundError(reference)
        }
        return camera
    }

    func add(_ request: CameraAddRequest) async throws(ControlError) -> CameraReply {
        let address = try NetworkAddress.parsing(request.address)
        let maker = try Maker.parsing(request.maker)
        if let name = request.name { try check(name: name) }
        let id: CameraID
        do { id = try await fleet.add(port: address.portPath, name: request.name, maker: maker) } catch {
            throw ControlError(error, cameraName: request.name ?? request.address)
        }
        return try await get(CameraReference(id))
    }

    func rename(
        _ reference: CameraReference, _ request: CameraRenameRequest
    ) async throws(ControlError) -> CameraReply {
        let name = request.name
        try check(name: name)
        let before = try lookup.camera(reference)
        let id = before.id
        do { try await fleet.rename(id, to: name) } catch {
            throw ControlError(error, cameraName: before.name)
        }
        if let status = registry.camera(id), let connection = registry.connection(of: id),
            let identity = engine.identity(ofCamera: id)
        {
            engine.naming.add(PhotoCamera(status, zone: connection.configured.zone), identity: identity)
        }
        return try await get(CameraReference(id))
    }

    func ignore(
        _ reference: CameraReference, _ request: CameraIgnoreRequest
    ) async throws(ControlError) -> CameraReply {
        let camera = try lookup.camera(reference)
        do { try await fleet.ignore(camera.id, request.ignored) } catch {
            throw ControlError(error, cameraName: camera.name)
        }
        // The interval must not continue when the user stops ignoring the camera.
        if request.ignored { intervals.stop(camera.id, "the camera is ignored") }
        return try await get(CameraReference(camera.id))
    }

    func forget(_ reference: CameraReference) async throws(ControlError) -> CamerasReply {
        let camera = try lookup.camera(reference)
        do { try await fleet.forget(camera.id) } catch {
            throw ControlError(error, cameraName: camera.name)
        }
        intervals.stop(camera.id, "the camera was forgotten")
        return try await list()
    }

    private func check(name: String) throws(ControlError) {
        guard CameraNameText.isValid(name) else {
            throw ControlError(
                .invalid, "cannot name a camera '\(name)'",
                nextStep:
                    "Use letters, digits, '-', '_' and '.', like studio-a. The name becomes part of file names."
            )
        }
    }
}

extension ControlError {
    fileprivate init(_ error: CameraFleet.RosterError, cameraName: String) {
        switch error {
        case .unknown: self.init(.notFound, "there is no camera '\(cameraName)'")
        case .nameTaken(let name):
            self.init(
                .conflict, "the name '\(name)' is already in use",
                nextStep: "Choose another name, or rename the other camera first.")
        case .configured:
            self.init(
                .conflict, "camera '\(cameraName)' is in the configuration",
                nextStep:
                    "Change the camera's [[camera]] table, then reload: sudo systemctl reload framefastd")
        case .isHere:
            self.init(
                .conflict, "camera '\(cameraName)' is plugged in",
                nextStep:
                    "Unplug the camera first, or ignore it with 'framefast cameras ignore \(cameraName)'.")
        case .addressTaken(let other):
            self.init(
                .conflict, "camera '\(other)' already has this address", nextStep: "See 'framefast cameras'.")
        case .storage(let reason):
            self.init(.internal, "cannot save the change: \(reason)", nextStep: "Check the service's log.")
        }
    }
}
