import Cameras
import ChildProcesses
import FrameFastConfiguration
import FrameFastModel
import Logging
import NetworkCost
import SettingKeys

extension NetworkMeter {
    /// - Parameter events: Are told that the network changed.
    convenience init(
        _ upload: Settings<UploadKeys>, events: DomainEvents, health: HealthBoard, logger: Logger
    ) {
        self.init(
            command: upload.meter, interval: upload.meteredInterval, logger: logger,
            onChange: { events.tell(.networkChanged) },
            tell: { condition in
                if let condition { health.raise(condition) } else { health.clear(.meteredUnknown) }
            })
    }
}

extension Settings<UploadKeys> {
    /// The program that knows whether the network costs money; `nil` to ask NetworkManager.
    var meter: CommandSettings? {
        self.meteredCommand.first.map {
            CommandSettings(
                program: $0, arguments: Array(self.meteredCommand.dropFirst()),
                timeoutSeconds: NetworkMeter.answerSeconds)
        }
    }
}
