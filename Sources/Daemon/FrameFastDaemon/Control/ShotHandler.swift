import APIServer
import CaptureEngine
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Store
import TextForms
import UploadEngine

/// The endpoints that list, return and rate shots. The caller's role and session decide what is visible.
struct ShotHandler: EndpointHandler {
    let ledger: LedgerStore
    let naming: CaptureNaming
    let uploads: UploadService
    let hub: EventHub
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.shots.list, with: list)
        table.handle(\.shots.get, with: get)
        table.handle(\.shots.rate, with: rate)
    }

    func list(_ query: ShotsQuery) async throws(ControlError) -> ShotsReply {
        let session = RequestCaller.current?.session ?? query.session
        guard query.session == nil || query.session == session else {
            throw ControlError(
                .forbidden, "cannot list the shots of session \(query.session ?? 0)",
                nextStep: "Omit the session to list your own session.")
        }
        let shots = try await ledger.mapErrors {
            try await $0.shotIndex(
                ShotIndexQuery(before: query.after, limit: query.limit, session: session))
        }
        return ShotsReply(
            shots, naming: naming, nextCursor: shots.count == query.limit ? shots.last?.id : nil)
    }

    func get(_ id: ShotID) async throws(ControlError) -> ShotReply {
        await reply(try await visibleShot(id))
    }

    /// Replaces the caller's opinion, and applies the opinion to the uploads before the reply.
    func rate(_ id: ShotID, _ request: RatingRequest) async throws(ControlError) -> ShotReply {
        guard let caller = RequestCaller.current, caller.role != .screen else {
            throw ControlError(
                .forbidden, "cannot rate shots: permission denied", nextStep: AccessAdvice.step)
        }
        let shot = try await visibleShot(id)
        let comment = UntrustedText.cleaned(request.comment ?? "", lengthMax: Opinion.commentLengthMax)
        let opinion = Opinion(
            stars: request.stars, pick: request.pick, comment: comment.isEmpty ? nil : comment,
            author: await Self.authorName(of: caller), authorKey: await caller.key(), role: caller.role,
            at: clock.now())
        guard let saved = try await ledger.mapErrors({ try await $0.saveOpinion(opinion, shot: shot.id) })
        else { throw Self.unknownShot(id) }
        guard saved.isChanged else { return await reply(shot) }
        await uploads.opinionsChanged()
        // The event contains the shot's files of all sessions.
        if let rated = try await ledger.mapErrors({ try await $0.shotOverview(of: saved.shot) }) {
            hub.publish(.shot(ShotChangeReply(rated)))
        }
        return await reply(try await visibleShot(saved.shot))
    }

    /// Returns a shot that the caller may see, without files of other sessions. For a missing shot and for a
    /// shot of another session, throws the same error.
    func visibleShot(_ id: ShotID) async throws(ControlError) -> ShotOverview {
        let session = RequestCaller.current?.session
        guard let shot = try await ledger.mapErrors({ try await $0.shotOverview(of: id, session: session) })
        else { throw Self.unknownShot(id) }
        return shot
    }

    private func reply(_ shot: ShotOverview) async -> ShotReply {
        let key = await RequestCaller.current?.key()
        return ShotReply(shot, opinions: await visibleOpinions(of: shot), callerKey: key, naming: naming)
    }

    /// Returns the opinions that the caller may read: an owner reads all opinions, a client only its own
    /// opinion, and a screen no opinion.
    private func visibleOpinions(of shot: ShotOverview) async -> [Opinion] {
        guard let caller = RequestCaller.current, !shot.opinions.isEmpty else { return [] }
        switch caller.role {
        case .owner: return shot.opinions
        case .client:
            let key = await caller.key()
            return shot.opinions.filter { $0.role == .client && $0.authorKey == key }
        case .screen: return []
        }
    }

    private static func authorName(of caller: RequestCaller) async -> String {
        let name = UntrustedText.cleaned(await caller.name(), lengthMax: Opinion.authorLengthMax)
        return name.isEmpty ? "unnamed" : name
    }

    private static func unknownShot(_ id: ShotID) -> ControlError {
        ControlError(
            .notFound, "there is no shot \(id)",
            nextStep: "List the shots with 'framefast captures --ratings'.")
    }
}
