import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import Makers
import USBHotplug

/// Looks at the service and its surroundings, and says what is wrong. The same for a service that runs and for
/// `framefastd --diagnose` without one.
struct Doctor {
    /// What only a running service knows.
    struct Service {
        let registry: CameraRegistry
        let health: HealthBoard
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
        var checks = conditions()
        checks += await usbCameras()
        checks += networkCameras()
        checks += [
            driver(), udevRule(), group(), disk(), state(), clock(), network(), page(), notices(), sandbox(),
        ]
        let ranked = checks.enumerated().sorted {
            (-$0.element.verdict.rank, $0.offset) < (-$1.element.verdict.rank, $1.offset)
        }
        return DiagnosisReply(checks: ranked.map(\.element))
    }

    /// What the service itself says is wrong. What it says of a camera on the USB is found below again, with more.
    private func conditions() -> [Check] {
        guard let service else { return [] }
        return service.health.current.compactMap { condition in
            let camera = condition.subject?.camera.flatMap(service.registry.camera)
            guard camera?.mode == nil else { return nil }
            return Check(
                id: condition.code,
                title: camera?.name ?? condition.subject?.text ?? "Service",
                verdict: .init(rawValue: condition.severity.rawValue), sentence: condition.sentence,
                steps: condition.nextStep.isEmpty ? [] : [condition.nextStep])
        }
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
