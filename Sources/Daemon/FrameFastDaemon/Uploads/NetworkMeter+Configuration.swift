import Cameras
import ChildProcesses
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem
import Logging
import NetworkCost
import SettingKeys

extension NetworkMeter {
    /// Creates a meter from the configuration.
    ///
    /// - Parameter events: The queue that receives an event when the network becomes metered or unmetered.
    convenience init(
        _ upload: Settings<UploadKeys>, events: DomainEvents, conditionBoard: ConditionBoard,
        clock: HostClock,
        logger: Logger
    ) {
        self.init(
            command: upload.meter, interval: upload.meteredInterval, clock: clock, logger: logger,
            onChange: { events.publish(.networkChanged) },
            onCondition: { condition in
                if let condition {
                    conditionBoard.raise(condition)
                } else {
                    conditionBoard.clear(.meteredUnknown)
                }
            })
    }
}

extension Settings<UploadKeys> {
    /// The program that reports whether the network is metered, or `nil` to query NetworkManager.
    var meter: CommandSettings? {
        self.meteredCommand.first.map {
            CommandSettings(
                program: $0, arguments: Array(self.meteredCommand.dropFirst()),
                timeoutSeconds: NetworkMeter.responseSeconds)
        }
    }
}
