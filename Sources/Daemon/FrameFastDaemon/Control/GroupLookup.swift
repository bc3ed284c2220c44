import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel

/// Finds the cameras of a group.
struct GroupLookup: Sendable {
    let configuration: CurrentValue<Configuration>
    let cameras: CameraLookup

    /// Every group, in the order of the configuration.
    var all: [Configuration.Group] { configuration.now.groups }

    /// A group by its name.
    func group(_ name: GroupName) throws(ControlError) -> Configuration.Group {
        guard let group = all.first(where: { $0.name == name.rawValue }) else {
            throw ControlError(
                .notFound, "there is no group '\(name)'",
                nextStep:
                    "Add a [[group]] table to the configuration. 'framefast group list' shows what there is.")
        }
        return group
    }

    /// The cameras of a group that are connected, and the others with why they are not.
    func members(
        of group: Configuration.Group
    ) -> (ready: [GroupShots.Member], missing: [MissingCamera]) {
        var (ready, missing): ([GroupShots.Member], [MissingCamera]) = ([], [])
        for (name, camera) in named(in: group) {
            do throws(ControlError) {
                let (status, session) = try cameras.connected(camera.get())
                ready.append(.init(id: status.id, name: status.name, session: session))
            } catch { missing.append(.init(name: name, reason: error.message)) }
        }
        return (ready, missing)
    }

    /// Asks something of every camera of a group, all at a time.
    ///
    /// - Returns: What those answered that could, in the order of the group, and the others with why.
    func each<Reply: Sendable>(
        of name: GroupName, _ ask: @Sendable @escaping (CameraReference) async throws(ControlError) -> Reply
    ) async throws(ControlError) -> (replies: [Reply], missing: [MissingCamera]) {
        let cameras = named(in: try group(name))
        let answers = await withTaskGroup { group in
            for (index, (_, camera)) in cameras.enumerated() {
                group.addTask { () -> (Int, Result<Reply, ControlError>) in
                    do throws(ControlError) {
                        return (index, .success(try await ask(try camera.get())))
                    } catch { return (index, .failure(error)) }
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        var (replies, missing): ([Reply], [MissingCamera]) = ([], [])
        for (index, (name, _)) in cameras.enumerated() {
            switch answers[index] {
            case .success(let reply)?: replies.append(reply)
            case .failure(let error)?: missing.append(.init(name: name, reason: error.message))
            case nil: break
            }
        }
        return (replies, missing)
    }

    /// What a group names, in its order: each camera once, also where it is there by its id and by its name.
    private func named(
        in group: Configuration.Group
    ) -> [(name: String, camera: Result<CameraReference, ControlError>)] {
        var ids: Set<CameraID> = []
        return group.cameras.map { name in
            do throws(ControlError) {
                let camera = CameraReference(rawValue: name)
                guard ids.insert(try cameras.camera(camera).id).inserted else {
                    throw ControlError(.conflict, "It is in the group by another name as well.")
                }
                return (name, .success(camera))
            } catch { return (name, .failure(error)) }
        }
    }
}

extension [MissingCamera] {
    /// As one sentence has them.
    var inWords: String { map { "\($0.name): \($0.reason)" }.joined(separator: "; ") }
}
