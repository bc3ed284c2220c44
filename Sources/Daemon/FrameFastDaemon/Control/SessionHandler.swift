import APIServer
import CaptureEngine
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Store
import UploadEngine

/// The endpoints that list, start and stop sessions, and set how long their photos stay on this computer.
struct SessionHandler: EndpointHandler {
    let ledger: LedgerStore
    let engine: CaptureEngine
    let uploads: UploadService
    let hooks: HookFeed
    let hub: EventHub
    let store: PresetStore
    let presets: SessionPresets
    let sleepInhibitor: SleepInhibitor
    let web: WebAccess
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.sessions.list, with: list)
        table.handle(\.sessions.start, with: start)
        table.handle(\.sessions.stop, with: stop)
        table.handle(\.sessions.keep, with: keep)
    }

    func list(_ query: SessionsQuery) async throws(ControlError) -> SessionsReply {
        SessionsReply(sessions: try await newestSessions(query.limit))
    }

    /// Returns the last sessions, newest first.
    func newestSessions(_ limit: Int) async throws(ControlError) -> [SessionReply] {
        try await ledger.mapErrors { try await $0.sessions(limit: limit) }.map(SessionReply.init)
    }

    /// Returns a session, or `nil` if it is unknown.
    func session(_ id: SessionID) async throws(ControlError) -> SessionReply? {
        try await ledger.mapErrors { try await $0.session(id) }.map(SessionReply.init)
    }

    func start(_ request: SessionStartRequest) async throws(ControlError) -> SessionReply {
        let keep = try Self.rule(request.keep)
        let changes = try preset(request.preset)
        let previous = try await running()
        var session = try await ledger.mapErrors {
            try await $0.startSession(
                name: request.name,
                uploadMode: request.uploadMode?.known ?? .realtime,
                at: clock.now())
        }
        engine.setSession(session)
        sleepInhibitor.update()
        // The ledger has ended the previous session, even if the rest of the request fails.
        if let previous { await web.sessionStopped(previous.id, at: session.startedAt) }
        if let keep {
            let id = session.id
            try await uploads.mapErrors { try await $0.setRetention(keep, session: id) }
            session.keep = keep
        }
        if var previous {
            previous.endedAt = session.startedAt
            hooks.handleSession(previous)
            hub.publish(.session(previous))
        }
        var reply = SessionReply(LedgerStore.SessionSum(session))
        hooks.handleSession(reply)
        hub.publish(.session(reply))
        _ = await presets.giveBackAll(running: session.id)
        if let changes {
            reply.applied = await presets.apply(
                changes, session: session.id, isGivenBack: request.giveBack ?? false)
        }
        return reply
    }

    /// Returns the changes of a preset, or `nil` if no preset is named. An invalid preset fails before the
    /// session starts.
    private func preset(_ name: PresetName?) throws(ControlError) -> [CameraSettingChange]? {
        guard let name else { return nil }
        let values = try store.preset(name).settings
        do throws(CameraSettingFault) { return try SettingName.changes(values) } catch {
            throw ControlError(error)
        }
    }

    func stop() async throws(ControlError) -> SessionReply {
        guard let session = try await ledger.mapErrors({ try await $0.stopSession(at: clock.now()) }) else {
            throw ControlError(
                .conflict, "no session is running", nextStep: "Start one with 'framefast session start NAME'."
            )
        }
        engine.setSession(nil)
        if let end = session.stoppedAt { await web.sessionStopped(session.id, at: end) }
        sleepInhibitor.update()
        var reply = try await self.session(session.id) ?? SessionReply(LedgerStore.SessionSum(session))
        hooks.handleSession(reply)
        hub.publish(.session(reply))
        let givenBack = await presets.giveBackAll(running: nil)
        if !givenBack.isEmpty { reply.applied = givenBack }
        return reply
    }

    /// Returns the session that new photos belong to, or `nil` if no session is running.
    func running() async throws(ControlError) -> SessionReply? {
        guard let newest = try await newestSessions(1).first, newest.endedAt == nil else { return nil }
        return newest
    }

    func keep(_ id: SessionID, _ request: SessionKeepRequest) async throws(ControlError) -> SessionReply {
        let rule = try Self.rule(request.keep)
        try await uploads.mapErrors { try await $0.setRetention(rule, session: id) }
        guard let session = try await session(id) else {
            throw ControlError(.notFound, "cannot find session \(id)")
        }
        hub.publish(.session(session))
        return session
    }

    private static func rule(_ text: String?) throws(ControlError) -> RetentionRule? {
        guard let text else { return nil }
        guard let rule = RetentionRule(text) else {
            throw ControlError(
                .invalid, "cannot keep photos for '\(text)'",
                nextStep: "Give a number of days such as '7 d', or give 'until-delivered' or 'forever'.")
        }
        return rule
    }
}
