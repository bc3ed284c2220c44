extension NetworkProbe {
    /// An event of a running probe, reported on the probe's thread.
    enum Event {
        /// Every address has an outcome, except the addresses of cameras that wait for the user's approval.
        /// The probe continues to wait for these cameras.
        case reported(ProbeReport)
        /// The outcome of a camera that was waiting for the user's approval.
        case decided(NetworkAddress, Result<FoundCamera, ProbeFailure>)
        /// The probe has ended.
        case ended
    }
}
