import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store

/// The endpoint that previews the file names of a naming template.
struct TemplateHandler: EndpointHandler {
    let registry: CameraRegistry
    let ledger: LedgerStore
    let engine: CaptureEngine
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.sessions.testTemplate, with: test)
    }

    func test(_ request: TemplateTestRequest) async throws(ControlError) -> TemplateTestReply {
        let (text, count) = (request.template, request.count ?? TemplateTestRequest.countDefault)
        let template: NamingTemplate
        do throws(NamingTemplateError) { template = try NamingTemplate(text) } catch {
            throw ControlError(.invalid, error.description)
        }
        let names = try await ledger.mapErrors { ledger in
            let session = try await ledger.currentSession()
            let status = registry.all.first
            let identity =
                status.flatMap {
                    engine.identity(ofCamera: $0.id) ?? engine.naming.identity(ofCamera: $0.id)
                } ?? "camera"
            let scope = CaptureNaming.counterScope(template: template, session: session?.id, camera: identity)
            let next = try await ledger.peekCounter(scope: scope)
            let record = CaptureRecord(
                id: 0, bodyID: identity,
                object: CameraObject(
                    folder: "/store_00010001/DCIM", name: "IMG_0001.JPG", size: 0, cameraTime: nil),
                state: .seen, sessionID: session?.id, detectedAt: clock.now())
            var photo = engine.naming.photo(record)
            // Use the registry's name, because `naming` does not know a camera that was never connected.
            if let status { photo.camera = PhotoCamera(status, zone: photo.camera.zone) }
            let names = (0..<count).map { template.path(for: photo, counter: next + $0) }
            // Without a counter in the template, all names are equal.
            return Set(names).count == 1 ? Array(names.prefix(1)) : names
        }
        return TemplateTestReply(template: text, names: names)
    }
}
