import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Makers
import SettingKeys
import USBHotplug

/// A diagnosis of the service and the computer. The doctor runs in the service, or in `framefastd --diagnose`
/// if no service is running.
struct Doctor {
    /// The parts of a running service.
    struct Service {
        let registry: CameraRegistry
        let conditions: ConditionList
    }

    let configuration: Configuration
    let knowledge: KnowledgeBase
    /// The computer's USB bus, or `nil` for a computer without USB.
    let bus: USBBus?
    /// The running service, or `nil` if no service is running.
    let service: Service?
    /// The clock of conditions that the doctor raises without a service.
    let hostClock: HostClock

    /// The user whose permissions are checked.
    var observer = Observer.service

    /// A check and its result.
    typealias Check = DiagnosisReply.Check

    /// Runs all checks. Returns the results by severity, worst first. Results of the same severity are in the
    /// order in which the checks ran.
    func examine() async -> DiagnosisReply {
        let conditions = currentConditions()
        var checks = conditions.map(check)
        checks += await usbCameras(conditions)
        checks += networkCameras()
        checks += driver()
        let hotplug = bus == nil ? nil : Self.hotplug()
        checks += [
            udevRule(), hotplug, group(), disk(conditions), state(conditions), clock(), network(), webPage(),
            Self.sandbox(),
        ].compactMap { $0 }
        let ranked = checks.enumerated().sorted {
            (-$0.element.rank, $0.offset) < (-$1.element.rank, $1.offset)
        }
        return DiagnosisReply(checks: ranked.map(\.element))
    }

    /// Returns all conditions of the running service.
    ///
    /// Without a service, returns only the conditions of the disk, because the USB checks report camera
    /// problems.
    private func currentConditions() -> [ConditionReply] {
        if let service { return service.conditions.now }
        let directory = configuration.capture.directory
        // The service creates a missing folder at its first start. A folder that this user cannot see gives
        // no information.
        guard (try? DiskSpace.of(directory)) != nil else { return [] }
        let board = ConditionBoard(clock: hostClock) { _ in }
        board.recordFreeSpace(
            in: directory, minFreeBytes: UInt64(clamping: configuration.capture.minFreeBytes),
            clock: hostClock)
        return board.current.map { ConditionReply($0) { $0.rawValue } }
    }

    private func check(_ condition: ConditionReply) -> Check {
        let guidance = condition.camera.flatMap { service?.registry.camera($0) }?.guidance
        // The guidance and its condition have the same steps. The guidance lists them separately, and the
        // condition has them in one line.
        let steps =
            guidance?.sentence == condition.sentence ? guidance?.steps : condition.nextStep.map { [$0] }
        return Check(
            id: condition.code, title: condition.name ?? "Service",
            verdict: condition.severity.map { CheckLevel($0) } ?? .warning, sentence: condition.sentence,
            steps: (steps ?? []).filter { !$0.isEmpty })
    }
}

extension DiagnosisReply.Check {
    /// The severity as a number. A higher number is worse.
    var rank: Int {
        switch verdict {
        case .danger: 3
        case .warning: 2
        case .info: 1
        case .ok, nil: 0
        }
    }
}
