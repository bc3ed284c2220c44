import FoundationEssentials
import FrameFastAPI
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// Answers one request: authorise, decode, call the control surface, encode.
struct APIResponder: Sendable {
    let surface: any ControlSurface
    let hub: EventHub
    let logger: Logger

    func respond(to request: Request, grant: AccessPolicy.Grant) async -> Response {
        do {
            return try await answer(request, grant: grant)
        } catch {
            if error.code == .internal {
                logger.error(
                    "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            return .error(error)
        }
    }

    private func answer(_ request: Request, grant: AccessPolicy.Grant) async throws(ControlError) -> Response
    {
        let method = request.method.rawValue
        switch RouteMatch(method: method, path: request.uri.path) {
        case .unknown:
            throw ControlError(
                .notFound, "cannot find '\(request.uri.path)'", nextStep: "See \(Route.openapi.row.path).")
        case .wrongMethod(let allowed):
            let methods = allowed.joined(separator: ", ")
            var response = Response.error(
                ControlError(.wrongMethod, "cannot \(method) '\(request.uri.path)', only \(methods)"))
            response.headers[.allow] = methods
            return response
        case .found(let route, let parameter):
            guard grant.allows(route.row.access) else {
                throw ControlError(
                    .forbidden, "cannot do this as your user",
                    nextStep: "Run it as root, or as a member of group \(AccessPolicy.groupName).")
            }
            return try await call(route, parameter: parameter ?? "", request: request)
        }
    }

    private func call(
        _ route: Route, parameter: String, request: Request
    ) async throws(ControlError) -> Response {
        let takesQuery: Set<Route> = [.captures, .sessions, .uploads]
        if !takesQuery.contains(route) { _ = try QueryReader(request.uri.query, allowed: []) }
        switch route {
        case .version: return try .json(VersionReply(version: surface.version))
        case .openapi: return .text(OpenAPIDocument.text, type: "application/yaml")
        case .status: return try .json(await surface.status())
        case .conditions: return try .json(ConditionsReply(conditions: await surface.conditions()))
        case .events: return try EventStream(surface: surface, hub: hub).response()
        case .metrics: return .text(try await surface.metrics().text, type: MetricsText.contentType)
        case .cameras: return try .json(CamerasReply(cameras: await surface.cameras()))
        case .camera: return try .json(await surface.camera(id: parameter))
        case .cameraAdd:
            let wish = try await RequestBodyReader.decode(CameraAddRequest.self, from: request)
            return try .json(await surface.addCamera(wish), status: .created)
        case .cameraRename:
            let wish = try await RequestBodyReader.decode(CameraRenameRequest.self, from: request)
            return try .json(await surface.renameCamera(id: parameter, to: wish.checked().name))
        case .cameraIgnore:
            let wish = try await RequestBodyReader.decode(CameraIgnoreRequest.self, from: request)
            return try .json(await surface.ignoreCamera(id: parameter, wish.ignored))
        case .cameraForget: return try .json(CamerasReply(cameras: await surface.forgetCamera(id: parameter)))
        case .makers: return try .json(MakersReply(makers: await surface.makers()))
        case .discover:
            let wish = try await RequestBodyReader.decode(DiscoveryRequest.self, from: request)
            return try .json(await surface.discover(wish))
        case .diagnosis: return try .json(await surface.diagnosis())
        case .trigger: return try .json(await surface.trigger(camera: parameter))
        case .triggerAll: return try .json(await surface.trigger(camera: nil))
        case .captures:
            return try .json(await surface.captures(CapturesQuery(queryString: request.uri.query)))
        case .capture, .captureRetry:
            guard let id = Int64(parameter) else {
                throw ControlError(.notFound, "cannot find a photo with id '\(parameter)'")
            }
            return try .json(
                await route == .capture ? surface.capture(id: id) : surface.retryCapture(id: id))
        case .sessions:
            let query = try QueryReader(request.uri.query, allowed: ["limit"])
            let limit = try query.number("limit", in: 1...Int64(SessionsReply.limitMax))
            let sessions = try await surface.sessions(limit: limit.map(Int.init) ?? SessionsReply.limitMax)
            return try .json(SessionsReply(sessions: sessions))
        case .sessionStart:
            let wish = try await RequestBodyReader.decode(SessionStartRequest.self, from: request)
            return try .json(await surface.startSession(wish.checked()), status: .created)
        case .sessionStop: return try .json(await surface.stopSession())
        case .sessionKeep:
            let wish = try await RequestBodyReader.decode(SessionKeepRequest.self, from: request)
            guard let id = Int64(parameter) else {
                throw ControlError(.notFound, "cannot find session '\(parameter)'")
            }
            return try .json(await surface.keepSession(id: id, wish))
        case .templateTest:
            let wish = try await RequestBodyReader.decode(TemplateTestRequest.self, from: request).checked()
            let count = wish.count ?? TemplateTestRequest.countDefault
            return try .json(await surface.testTemplate(wish.template, count: count))
        case .destinations:
            return try .json(DestinationsReply(destinations: await surface.destinations()))
        case .destinationTest: return try .json(await surface.testDestination(name: parameter))
        case .destinationPause: return try .json(await surface.pauseDestination(name: parameter, true))
        case .destinationResume: return try .json(await surface.pauseDestination(name: parameter, false))
        case .destinationAdopt: return try .json(await surface.adoptDestination(name: parameter))
        case .uploads: return try .json(await surface.uploads(UploadsQuery(queryString: request.uri.query)))
        case .uploadsPause:
            return try .json(DestinationsReply(destinations: await surface.pauseUploads(true)))
        case .uploadsResume:
            return try .json(DestinationsReply(destinations: await surface.pauseUploads(false)))
        case .uploadsRetry: return try await change(.retry, request)
        case .uploadsHold: return try await change(.hold, request)
        case .uploadsRelease: return try await change(.release, request)
        case .uploadsDrop: return try await change(.drop, request)
        case .uploadsAdd:
            let wish = try await RequestBodyReader.decode(UploadAddRequest.self, from: request)
            return try .json(await surface.addUploads(wish.checked()))
        case .mode: return try .json(await surface.mode())
        case .modeSet:
            let wish = try await RequestBodyReader.decode(ModeRequest.self, from: request)
            return try .json(await surface.setMode(wish.checked()))
        case .storage: return try .json(await surface.storage())
        case .storageAdopt: return try .json(await surface.adoptStorage())
        case .storageClear:
            let wish = try await RequestBodyReader.decode(StorageClearRequest.self, from: request)
            return try .json(await surface.clearStorage(wish.checked()))
        }
    }

    private func change(_ change: UploadChange, _ request: Request) async throws(ControlError) -> Response {
        let selection = try await RequestBodyReader.decode(UploadSelection.self, from: request)
        return try .json(await surface.changeUploads(change, selection.checked()))
    }
}
