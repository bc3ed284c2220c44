import APIServer
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The endpoints that list, test, pause, resume and adopt destinations.
struct DestinationHandler: EndpointHandler {
    let uploads: UploadService
    let replies: DestinationReplies
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.destinations.list, with: list)
        table.handle(\.destinations.test, with: test)
        table.handle(\.destinations.relearn, with: relearn)
        table.handle(\.destinations.pause, with: pause)
        table.handle(\.destinations.resume, with: resume)
        table.handle(\.destinations.adopt, with: adopt)
        table.handle(\.uploads.pause, with: pauseAll)
        table.handle(\.uploads.resume, with: resumeAll)
    }

    func list() async throws(ControlError) -> DestinationsReply {
        let statistics = try await uploads.mapErrors { try await $0.statistics() }
        return DestinationsReply(destinations: statistics.map(replies.reply))
    }

    func test(_ name: DestinationName) async throws(ControlError) -> DestinationTestReply {
        let start = clock.uptime()
        func elapsedMs() -> Int { Int(clock.duration(since: start) / .milliseconds(1)) }
        let advice: String?
        do {
            advice = try await uploads.test(name)
        } catch let failure as UploadFailure {
            return DestinationTestReply(
                destination: name, ok: false, sentence: failure.sentence, nextStep: failure.stepByHand,
                features: try await features(name), tookMs: elapsedMs())
        } catch {
            throw ControlError(uploadError: error)
        }
        let tried = try await features(name)
        let refused = Set(tried.filter { $0.state == .refused }.map(\.feature))
        let isUnverified = refused.isSuperset(of: [DestinationFeature.size, .readBack].map(\.rawValue))
        let done = "A probe was uploaded\(isUnverified ? " and" : ", verified and") removed."
        return DestinationTestReply(
            destination: name, ok: true,
            sentence: [done, advice].compactMap(\.self).joined(separator: " "), features: tried,
            tookMs: elapsedMs())
    }

    private func features(_ name: DestinationName) async throws(ControlError) -> [DestinationFeatureReply] {
        try await uploads.mapErrors { try $0.features(of: name) }.map(DestinationFeatureReply.init)
    }

    func relearn(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        try await uploads.mapErrors { try await $0.relearn(name) }
        return try await destination(name)
    }

    func pause(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        try await uploads.mapErrors { try await $0.pause(name) }
        return try await destination(name)
    }

    func resume(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        try await uploads.mapErrors { try await $0.resume(name) }
        return try await destination(name)
    }

    func adopt(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        do { try await uploads.adopt(name) } catch let failure as UploadFailure {
            throw ControlError(
                failure.kind == .permanent(.misconfigured) ? .unsupported : .conflict,
                "cannot adopt '\(name)': \(failure.sentence)", nextStep: failure.nextStep)
        } catch { throw ControlError(uploadError: error) }
        return try await destination(name)
    }

    private func destination(_ name: DestinationName) async throws(ControlError) -> DestinationReply {
        guard let reply = try await list().destinations.first(where: { $0.name == name }) else {
            throw ControlError(uploadError: UploadService.VerbError.noSuchDestination(name))
        }
        return reply
    }

    func pauseAll() async throws(ControlError) -> DestinationsReply {
        try await uploads.mapErrors { try await $0.pause() }
        return try await list()
    }

    func resumeAll() async throws(ControlError) -> DestinationsReply {
        try await uploads.mapErrors { try await $0.resume() }
        return try await list()
    }
}
