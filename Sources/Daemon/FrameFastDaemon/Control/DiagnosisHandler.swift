import APIServer
import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastSystem
import Makers
import USBHotplug

/// The endpoint that runs the doctor and returns its checks.
struct DiagnosisHandler: EndpointHandler {
    let configuration: CurrentValue<Configuration>
    let knowledge: KnowledgeBase
    let bus: USBBus?
    let registry: CameraRegistry
    let conditions: ConditionList
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.service.diagnosis, with: diagnosis)
    }

    func diagnosis() async throws(ControlError) -> DiagnosisReply {
        await Doctor(
            configuration: configuration.now, knowledge: knowledge, bus: bus,
            service: .init(registry: registry, conditions: conditions), hostClock: clock
        ).examine()
    }
}
