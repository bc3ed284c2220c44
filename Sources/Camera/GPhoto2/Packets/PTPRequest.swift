/// A request of the driver.
struct PTPRequest {
    var operation: UInt16
    var transaction: UInt32
    var parameters: (UInt32, UInt32, UInt32, UInt32)

    /// Whether the request reads a photo in the camera's memory. Such photos share one handle.
    var isMemoryRead: Bool {
        operation == PTPOperation.getObject && ObjectInfo.inMemory.contains(parameters.0)
    }

    /// The number of bytes that a partial read requests, or `nil` for other requests.
    var chunkBytes: UInt32? {
        switch operation {
        case PTPOperation.getPartialObject: parameters.2
        case PTPOperation.androidGetPartialObject64: parameters.3
        default: nil
        }
    }
}
