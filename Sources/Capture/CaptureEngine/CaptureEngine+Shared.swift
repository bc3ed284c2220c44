import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Store

extension CaptureEngine {
    /// The dependencies that the intakes of all cameras share.
    struct Shared: Sendable {
        let settings: CaptureSettings
        let ledger: LedgerStore
        /// The time at which the ledger was created. If a photo may be older, the publisher searches the disk
        /// for a copy before it publishes the photo.
        let ledgerCreatedAt: Date
        let folders: WorkFolders
        let parts: PartFiles
        let publisher: Publisher
        let naming: CaptureNaming
        let registry: CameraRegistry
        let conditionBoard: ConditionBoard
        let ledgerCondition: LedgerCondition
        let freeSpace: FreeSpaceMonitor
        let saveStatistics: SaveStatistics
        let leftInCameras: LeftInCameraStore
        let onCapture: @Sendable (CaptureRecord) -> Void
        let logger: Logger
        let clock: HostClock
    }
}
