import Foundation
import FrameFastModel
import Makers
import USBHotplug

/// What is shown of cameras that come and go, and what people are told of them.
struct FleetStatus: Sendable {
    let registry: CameraRegistry
    let health: HealthBoard
    let knowledge: KnowledgeBase

    /// Shows a camera that was taken in: it is looked for when it is wanted.
    func entered(_ member: CameraMember, _ record: RosterRecord?) {
        let isSearched = member.origin != .plugged && !member.isIgnored
        registry.put(CameraStatus(member.camera, state: isSearched ? .searching : .gone, record: record))
    }

    /// Shows a camera that is plugged in, and what a person has to do where it cannot be used like that.
    func plugged(_ member: CameraMember, _ verdict: Verdict) {
        let id = member.camera.id
        var status = registry.camera(id) ?? CameraStatus(member.camera, state: .searching)
        status.name = member.camera.name
        status.port = member.camera.port
        status.mode = verdict.mode
        status.isIgnored = member.isIgnored
        status.guidance = verdict.action == .leave ? verdict.guidance : nil
        status.state =
            verdict.action != .leave ? .connecting : verdict.condition == .notSupported ? .failed : .wrongMode
        if member.isIgnored { status.state = .gone }
        status.facts =
            status.facts
            ?? CameraFacts(
                maker: verdict.maker?.name ?? "", model: verdict.model ?? "",
                serial: member.place?.device.serial ?? "")
        registry.put(status)
        health.clear(.asleep, subject: .camera(id))
        if verdict.mode == .mtp || verdict.mode == .massStorage {
            // The card can be copied now, and that is what it was about.
            health.clear(.photosLeftInCamera, subject: .camera(id))
        }
        guard !member.isIgnored, verdict.action == .leave, let guidance = verdict.guidance else { return }
        let code = verdict.condition ?? .wrongMode
        health.raise(
            code, .warning, subject: .camera(id), sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    /// Shows a camera that is not there, or is ignored.
    func away(_ member: CameraMember, _ record: RosterRecord?) {
        let id = member.camera.id
        registry.change(id) { status in
            status.state = member.origin == .configured && !member.isIgnored ? .searching : .gone
            status.isIgnored = member.isIgnored
            status.guidance = nil
            status.mode = member.place?.verdict.mode
        }
        guard !member.isIgnored, USBAddress(member.camera.port) != nil,
            Absence(of: member).deservesAttention(at: Date())
        else { return }
        let code: ConditionKind = member.origin == .configured ? .unreachable : .asleep
        var guidance = knowledge.guidance(
            for: .asleep, maker: knowledge.maker(named: record?.maker ?? ""))
        guidance.sentence = "\(member.camera.name) is unplugged, asleep or switched off."
        health.raise(
            code, member.origin == .configured ? .warning : .info, subject: .camera(id),
            sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    /// A camera that was unplugged a while ago is not missed any more.
    func isMissedNoLonger(_ id: CameraID) { health.clear(.asleep, subject: .camera(id)) }

    /// A camera was unplugged: what its session said at its end is not news of it any more.
    func left(_ id: CameraID) { health.departed(camera: id) }

    /// Nothing that was told of a camera holds any more.
    func forgetConditions(_ id: CameraID) { health.forget(.camera(id)) }

    /// Shows a camera no more.
    func removed(_ id: CameraID) { registry.remove(id) }
}

extension CameraStatus {
    init(_ camera: ConfiguredCamera, state: CameraState, record: RosterRecord? = nil) {
        self.init(id: camera.id, name: camera.name, port: camera.port, state: state)
        guard let record else { return }
        facts = CameraFacts(maker: record.maker, model: record.model, serial: record.serial)
        isIgnored = record.isIgnored
        lastSeenAt = record.lastSeenAt
    }
}

extension Guidance {
    /// All steps in one line, numbered when there are several.
    var inOneLine: String {
        guard steps.count > 1 else { return steps.first ?? "" }
        return steps.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: " ")
    }
}
