package import FrameFastModel
package import WorkerProtocol

extension CameraConnection {
    /// A worker in this process, for a simulation. The link between the worker and the daemon has no socket
    /// and no thread.
    package struct InProcessWorker: Sendable {
        let link: WorkerLink

        /// Creates a worker.
        ///
        /// - Parameter perform: Called with each command of the daemon. The function must return quickly, and
        ///   replies with ``send(_:)``.
        package init(perform: @escaping @Sendable (WorkerCommand) -> Void) {
            link = WorkerLink(perform: perform)
        }

        /// Whether the daemon still accepts events.
        package var isAlive: Bool { link.isAlive }

        /// Sends an event to the daemon. An event after the end of the link has no effect.
        package func send(_ event: WorkerEvent) { link.receive(event) }
    }

    /// Creates a connection to a camera of a simulation.
    ///
    /// - Parameter notices: The notices of the camera, which the simulation sends.
    package init(
        configured: ConfiguredCamera, place: String, facts: CameraFacts, notices: AsyncStream<[Notice]>,
        worker: InProcessWorker
    ) {
        self.init(configured: configured, place: place, facts: facts, notices: notices, link: worker.link)
    }
}
