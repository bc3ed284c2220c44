import Cameras
import CaptureEngine
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Makers
import SettingKeys
import USBHotplug

/// Looks at the service and its surroundings, and says what is wrong. The same for a service that runs and for
/// `framefastd --diagnose` without one.
struct Doctor {
    /// What only a running service knows.
    struct Service {
        let registry: CameraRegistry
        let conditions: ConditionList
    }

    let configuration: Configuration
    let knowledge: KnowledgeBase
    /// The computer's USB; `nil` where there is none.
    let bus: USBBus?
    /// The service that runs; `nil` without one.
    let service: Service?

    /// For whom the doctor looks.
    var observer = Observer.service

    /// A check with what it found.
    typealias Check = DiagnosisReply.Check

    /// Everything that was looked at, worst first, else in the order of looking.
    func examine() async -> DiagnosisReply {
        let conditions = currentConditions()
        var checks = conditions.map(check)
        checks += await usbCameras(conditions)
        checks += networkCameras()
        checks += driver()
        checks += [
            udevRule(), group(), disk(conditions), state(conditions), clock(), network(), sandbox(),
        ].compactMap { $0 }
        let ranked = checks.enumerated().sorted {
            (-$0.element.verdict.rank, $0.offset) < (-$1.element.verdict.rank, $1.offset)
        }
        return DiagnosisReply(checks: ranked.map(\.element))
    }

    /// The conditions of the running service: all of them, and no others. Without a service, those of the disk; what
    /// stands between a camera and its session is found on the bus.
    private func currentConditions() -> [ConditionReply] {
        if let service { return service.conditions.now }
        let directory = configuration.capture.directory
        // A folder that is missing is made at the first start. One that this user may not see tells nothing.
        guard (try? DiskSpace.of(directory)) != nil else { return [] }
        let board = HealthBoard { _ in }
        board.recordFreeSpace(
            in: directory, minFreeBytes: UInt64(clamping: configuration.capture.minFreeBytes))
        return board.current.map { ConditionReply($0) { $0.rawValue } }
    }

    private func check(_ condition: ConditionReply) -> Check {
        let guidance = condition.camera.flatMap { service?.registry.camera($0) }?.guidance
        // The condition has the same steps in one line.
        let steps =
            guidance?.sentence == condition.sentence ? guidance?.steps : condition.nextStep.map { [$0] }
        return Check(
            id: condition.code, title: condition.name ?? "Service",
            verdict: .init(rawValue: condition.severity.rawValue), sentence: condition.sentence,
            steps: (steps ?? []).filter { !$0.isEmpty })
    }
}

extension DiagnosisReply.Verdict {
    /// Orders by how bad it is.
    var rank: Int {
        switch self {
        case .danger: 3
        case .warning: 2
        case .info: 1
        default: 0
        }
    }
}
