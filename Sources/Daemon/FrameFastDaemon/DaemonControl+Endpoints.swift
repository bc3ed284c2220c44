import APIServer
import FrameFastAPI

/// Which endpoint is answered by what. Those of a larger resource are attached where it is.
extension DaemonControl {
    func attach(to table: inout EndpointTable) {
        table.on(\.service.version) { () throws(ControlError) in
            VersionReply(version: ProductVersion.current)
        }
        table.on(\.service.conditions, conditions)
        table.on(\.service.diagnosis, diagnosis)
        table.on(\.captures.list, captures)
        table.on(\.captures.get, capture)
        table.on(\.captures.retry, retryCapture)
        table.on(\.sessions.list, sessions)
        table.on(\.sessions.start, startSession)
        table.on(\.sessions.stop, stopSession)
        table.on(\.sessions.testTemplate, testTemplate)
        attachCameras(to: &table)
        attachUploads(to: &table)
        attachStorage(to: &table)
    }
}
