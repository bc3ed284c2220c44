import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel

/// A lookup of the cameras in a group.
struct GroupLookup: Sendable {
    let configuration: CurrentValue<Configuration>
    let cameras: CameraLookup

    /// The groups, in the order of the configuration.
    var all: [Configuration.Group] { configuration.now.groups }

    /// Returns the group with this name.
    func group(_ name: GroupName) throws(ControlError) -> Configuration.Group {
        guard let group = all.first(where: { $0.name == name.rawValue }) else {
            throw ControlError(
                .notFound, "there is no group '\(name)'",
                nextStep:
                    "Add a [[group]] table to the configuration. 'framefast group list' lists the groups.")
        }
        return group
    }

    /// Returns the connected cameras of a group, and the other cameras with the reason why each is missing.
    func members(
        of group: Configuration.Group
    ) -> (ready: [GroupRelease.Member], missing: [MissingCamera]) {
        var (ready, missing): ([GroupRelease.Member], [MissingCamera]) = ([], [])
        for (name, camera) in references(in: group) {
            do throws(ControlError) {
                let (status, connection) = try cameras.connectedCamera(camera.get())
                ready.append(.init(id: status.id, name: status.name, connection: connection))
            } catch { missing.append(.init(name: name, reason: error.message)) }
        }
        return (ready, missing)
    }

    /// Sends a request to all cameras of a group at the same time.
    ///
    /// - Returns: The replies in the order of the group, and the cameras that failed, with the reason.
    func forEachCamera<Reply: Sendable>(
        of name: GroupName,
        _ request: @Sendable @escaping (CameraReference) async throws(ControlError) -> Reply
    ) async throws(ControlError) -> (replies: [Reply], missing: [MissingCamera]) {
        let cameras = references(in: try group(name))
        let results = await withTaskGroup { group in
            for (index, (_, camera)) in cameras.enumerated() {
                group.addTask { () -> (Int, Result<Reply, ControlError>) in
                    do throws(ControlError) {
                        return (index, .success(try await request(try camera.get())))
                    } catch { return (index, .failure(error)) }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var (replies, missing): ([Reply], [MissingCamera]) = ([], [])
        for (index, (name, _)) in cameras.enumerated() {
            switch results[index] {
            case .success(let reply)?: replies.append(reply)
            case .failure(let error)?: missing.append(.init(name: name, reason: error.message))
            case nil: break
            }
        }
        return (replies, missing)
    }

    /// Returns the cameras of a group, in the order of the group.
    ///
    /// If the group lists a camera by its id and by its name, the second entry is an error.
    private func references(
        in group: Configuration.Group
    ) -> [(name: String, camera: Result<CameraReference, ControlError>)] {
        var ids: Set<CameraID> = []
        return group.cameras.map { name in
            do throws(ControlError) {
                let camera = CameraReference(rawValue: name)
                guard ids.insert(try cameras.camera(camera).id).inserted else {
                    throw ControlError(.conflict, "The group lists this camera twice, under two names.")
                }
                return (name, .success(camera))
            } catch { return (name, .failure(error)) }
        }
    }
}

extension [MissingCamera] {
    /// The cameras and reasons in one sentence.
    var inWords: String { map { "\($0.name): \($0.reason)" }.joined(separator: "; ") }
}
