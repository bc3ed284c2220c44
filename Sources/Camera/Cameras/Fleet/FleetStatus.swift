import Foundation
import FrameFastModel
import Makers
import USBHotplug

/// The part of the fleet that updates the status and the conditions of cameras.
struct FleetStatus: Sendable {
    let registry: CameraRegistry
    let conditionBoard: ConditionBoard
    let knowledge: KnowledgeBase

    /// Shows a camera that was added. Its state is `searching`, or `gone` if the camera is ignored or is only
    /// used while it is plugged in.
    func showAdded(_ member: CameraMember, _ record: RosterRecord?) {
        let isSearched = member.origin != .plugged && !member.isIgnored
        registry.insert(CameraStatus(member.camera, state: isSearched ? .searching : .gone, record: record))
    }

    /// Shows a camera that is plugged in. If its mode prevents use, raises a condition, unless the
    /// camera is ignored.
    func showPlugged(_ member: CameraMember, _ classification: DeviceClassification) {
        let id = member.camera.id
        var status = registry.camera(id) ?? CameraStatus(member.camera, state: .searching)
        status.name = member.camera.name
        status.port = member.camera.port
        status.mode = classification.mode
        status.isIgnored = member.isIgnored
        status.guidance = classification.action == .leave ? classification.guidance : nil
        status.state =
            classification.action != .leave
            ? .connecting : classification.condition == .notSupported ? .failed : .wrongMode
        if member.isIgnored { status.state = .gone }
        status.facts =
            status.facts
            ?? CameraFacts(
                maker: classification.maker?.name ?? "", model: classification.model ?? "",
                serial: member.attachment?.device.serial ?? "")
        registry.insert(status)
        conditionBoard.clear(.asleep, subject: .camera(id))
        if classification.mode == .mtp || classification.mode == .massStorage {
            // In this mode, the user can copy the card, which resolves the condition.
            conditionBoard.clear(.photosLeftInCamera, subject: .camera(id))
        }
        guard !member.isIgnored, classification.action == .leave, let guidance = classification.guidance
        else { return }
        let code = classification.condition ?? .wrongMode
        conditionBoard.raise(
            code, .warning, subject: .camera(id), sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    /// Shows a camera that is disconnected or ignored. For a USB camera that is not ignored, raises a
    /// condition if the absence deserves attention.
    ///
    /// - Parameter now: The current time.
    func showDisconnected(_ member: CameraMember, _ record: RosterRecord?, at now: Date) {
        let id = member.camera.id
        registry.change(id) { status in
            status.state = member.origin == .configured && !member.isIgnored ? .searching : .gone
            status.isIgnored = member.isIgnored
            status.guidance = nil
            status.mode = member.attachment?.classification.mode
        }
        guard !member.isIgnored, USBAddress(member.camera.port) != nil,
            Absence(of: member).deservesAttention(at: now)
        else { return }
        let code: ConditionKind = member.origin == .configured ? .unreachable : .asleep
        var guidance = knowledge.guidance(
            for: .asleep, maker: knowledge.maker(named: record?.maker ?? ""))
        guidance.sentence = "\(member.camera.name) is unplugged, asleep or switched off."
        conditionBoard.raise(
            code, member.origin == .configured ? .warning : .info, subject: .camera(id),
            sentence: guidance.sentence, nextStep: guidance.inOneLine)
    }

    /// Clears the condition `asleep` of a camera whose ``Absence`` has expired.
    func clearAbsence(of id: CameraID) { conditionBoard.clear(.asleep, subject: .camera(id)) }

    /// Clears the conditions that do not apply after a camera was unplugged.
    func clearDeparted(_ id: CameraID) { conditionBoard.clearDeparted(id) }

    /// Clears all conditions of a camera.
    func clearConditions(of id: CameraID) { conditionBoard.forget(.camera(id)) }

    /// Removes a camera from the status.
    func remove(_ id: CameraID) { registry.remove(id) }
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
    /// All steps on one line. Several steps are numbered.
    var inOneLine: String {
        guard steps.count > 1 else { return steps.first ?? "" }
        return steps.enumerated().map { "\($0.offset + 1). \($0.element)" }.joined(separator: " ")
    }
}
