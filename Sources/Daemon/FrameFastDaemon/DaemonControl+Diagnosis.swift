import APIServer
import FrameFastAPI

/// What is wrong here.
extension DaemonControl {
    func diagnosis() async throws(ControlError) -> DiagnosisReply {
        await Doctor(
            configuration: configuration, knowledge: knowledge, bus: bus,
            service: .init(registry: registry, health: health)
        ).examine()
    }
}
