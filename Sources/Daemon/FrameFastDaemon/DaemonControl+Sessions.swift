import APIServer
import Cameras
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastModel
import Store
import UploadEngine

/// Sessions, and the names that their photos get.
extension DaemonControl {
    func sessions(_ query: SessionsQuery) async throws(ControlError) -> SessionsReply {
        SessionsReply(sessions: try await sessions(limit: query.limit))
    }

    func sessions(limit: Int) async throws(ControlError) -> [SessionReply] {
        try await asking { [ledger] in try await ledger.sessions(limit: limit) }.map(SessionReply.init)
    }

    func startSession(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply {
        let keep = try Self.rule(request.keep)
        let previous = try await runningSession()
        var session = try await asking { [ledger] in
            try await ledger.startSession(
                name: request.name,
                uploadMode: request.uploadMode.flatMap { UploadMode(rawValue: $0.rawValue) } ?? .realtime,
                at: Date())
        }
        engine.use(session)
        if let keep {
            let id = session.id
            try await uploading { try await $0.setRetention(keep, session: id) }
            session.keep = keep
        }
        if var previous {
            previous.endedAt = session.startedAt
            hooks.session(previous)
        }
        let reply = SessionReply(LedgerStore.SessionSum(session))
        hooks.session(reply)
        hub.publish(.session(reply))
        return reply
    }

    func stopSession() async throws(ControlError) -> SessionReply {
        guard let session = try await asking({ [ledger] in try await ledger.stopSession(at: Date()) }) else {
            throw ControlError(
                .conflict, "no session is running", nextStep: "Start one with 'framefast session start NAME'."
            )
        }
        engine.use(nil)
        let all = try await sessions(limit: 1)
        let reply = all.first { $0.id == session.id } ?? SessionReply(LedgerStore.SessionSum(session))
        hooks.session(reply)
        hub.publish(.session(reply))
        return reply
    }

    func runningSession() async throws(ControlError) -> SessionReply? {
        guard let newest = try await sessions(limit: 1).first, newest.endedAt == nil else { return nil }
        return newest
    }

    func testTemplate(_ request: TemplateTestRequest) async throws(ControlError) -> TemplateTestReply {
        let (text, count) = (request.template, request.count ?? TemplateTestRequest.countDefault)
        let template: NamingTemplate
        do throws(NamingTemplateError) { template = try NamingTemplate(text) } catch {
            throw ControlError(.invalid, error.description)
        }
        let names = try await asking { [self] in
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
                state: .seen, sessionID: session?.id, detectedAt: Date())
            var photo = engine.naming.photo(record)
            // One that was never connected is known by what it is called.
            if let status { photo.camera = PhotoCamera(status, zone: photo.camera.zone) }
            return (0..<count).map { template.path(for: photo, counter: next + $0) }
        }
        return TemplateTestReply(template: text, names: names)
    }
}
