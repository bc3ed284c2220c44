/// A point between two steps of the service at which a simulation can kill the service.
///
/// At a point, the first step is complete and the second step has not started. Simulated faults of the disk,
/// the cameras and the servers do not end the service exactly at a point. The service calls
/// ``SimulatedHost/pass(_:)`` at each point.
public enum FaultPoint: Hashable, Sendable, CaseIterable {
    // MARK: ledger

    /// A transaction of the ledger is durable. The callers are not notified yet.
    case ledgerCommitted

    // MARK: cameras

    /// The photos of a body are marked as past, because another body has its serial number. The other body
    /// is not in the ledger.
    case bodyMarkedPast
    /// The identity of a connected camera is in the ledger, without any of its new photos.
    case identityRecorded
    /// New objects are in the ledger, but are not queued for transfer.
    case objectsRecorded
    /// The ledger records that a whole card was listed. The photos on the card are not compared with the
    /// ledger.
    case cardRecorded

    // MARK: saving

    /// All bytes of a photo are in its part file. The publisher has not received the photo.
    case photoFetched
    /// The bytes of a photo are durable. The photo has no name.
    case bytesSynced
    /// The ledger has the names of a round: photos that are published together. The publisher has moved no
    /// file of the round. A photo that was found on the disk already has its name.
    case namesPlanned
    /// The ledger has a name with a suffix for a photo, because another file has the planned name. The
    /// photo's file does not have this name yet.
    case suffixRecorded
    /// A file has its final name. Other files of its round may still lack their final names, and no folder is
    /// synced.
    case photoRenamed
    /// The folders of a round of photos were synced, or a sync failed. The ledger does not record the photos
    /// as saved.
    case namesSynced
    /// A photo's file is removed, because its folder could not be synced. The ledger still has the file's
    /// name.
    case unsyncedPhotoRemoved
    /// The ledger records that a photo must be fetched again. The photo's part file may exist.
    case photoWithdrawn
    /// The ledger records photos as saved. The intake and the upload queue are not notified yet.
    case photosRecorded
    /// The upload queue is notified of a saved photo. The camera still has the photo.
    case photoReported
    /// The ledger records a photo as a duplicate. The photo's part file exists.
    case duplicateRecorded

    // MARK: second readings

    /// A file with wrong bytes is replaced. The ledger still has the hash of the wrong bytes.
    case photoCorrected
    /// The ledger has the result of a second reading. The upload queue is not notified yet.
    case readingRecorded

    // MARK: damaged photos

    /// The bytes of a damaged photo are in the folder of set-aside photos. The ledger does not record this.
    case damagedBytesSaved
    /// The ledger records a photo as set aside. No condition reports the photo yet.
    case photoSetAside

    // MARK: deletion on the camera

    /// A photo is marked as past, because a later photo may get the same name. The camera still has the
    /// photo.
    case photoMarkedPast
    /// A photo is deleted on the camera. The ledger does not record the deletion.
    case originalDeleted

    // MARK: start

    /// The capture directory has a mark. The service has not recorded the mark.
    case folderMarked
    /// The repair moved a file to its final name. The ledger does not record the photo as saved.
    case repairRenamed
    /// The repair recorded a photo as saved. The repair has not reached the next photo.
    case repairRecorded
    /// The repair recorded that a photo must be fetched again. The photo's part file may exist.
    case repairReturned
    /// The repair removed a part file of an earlier run. The repair has not reached the next file.
    case partFileRemoved
    /// Interrupted uploads are queued again. No upload has started.
    case uploadsRecovered

    // MARK: uploads

    /// The upload jobs of new photos are in the ledger. The runners of their destinations are not notified
    /// yet.
    case uploadsPlanned
    /// The ledger records uploads as running. No upload has started.
    case uploadsClaimed
    /// A server has a photo. The ledger does not record the delivery.
    case uploadConfirmed
    /// The ledger has the results of uploads. The loop that removes delivered photos is not notified yet.
    case outcomesRecorded

    // MARK: clearing

    /// The ledger records that photos are being cleared. Their files exist.
    case clearingRecorded
    /// A file is cleared. The ledger records the clearing as running.
    case fileCleared
}
