import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// The capabilities of one destination, shared by all its uploads and stored in the ledger.
public final class DestinationMemory: Sendable {
    /// A closure that saves the capabilities after each change.
    public typealias Save = @Sendable (DestinationCapabilities) async -> Void

    private struct State {
        var capabilities: DestinationCapabilities
        var save: Save?
        var clock = HostClock.system.now
    }

    private let state: Mutex<State>

    /// Creates a memory without observations.
    ///
    /// - Parameter configuration: The destination's settings, as text. Observations are valid only for these
    ///   settings.
    public init(configuration: String = "") {
        let fingerprint = Hex.text(SHA256.hash(data: Data(configuration.utf8)))
        state = Mutex(State(capabilities: DestinationCapabilities(fingerprint: fingerprint)))
    }

    /// The current capabilities.
    public var capabilities: DestinationCapabilities { state.withLock { $0.capabilities } }

    /// Returns whether uploads use a feature.
    public func offers(_ feature: DestinationFeature) -> Bool { capabilities.offers(feature) }

    /// Records that the server refused or accepted a feature.
    public func learn(_ feature: DestinationFeature, isOffered: Bool, reason: String? = nil) async {
        let (save, now) = state.withLock { state -> (Save?, DestinationCapabilities) in
            let isNew = state.capabilities.learn(
                feature, isOffered: isOffered, reason: reason, at: state.clock())
            return (isNew ? state.save : nil, state.capabilities)
        }
        await save?(now)
    }

    /// Deletes all observations, and saves the change.
    public func reset() async {
        let (save, now) = state.withLock { state -> (Save?, DestinationCapabilities) in
            state.capabilities = DestinationCapabilities(fingerprint: state.capabilities.fingerprint)
            return (state.save, state.capabilities)
        }
        await save?(now)
    }

    /// Restores the observations of an earlier run with the same configuration, and saves later changes.
    ///
    /// - Parameter text: The stored value of ``DestinationCapabilities/text``.
    func restore(
        _ text: String?, clock: @escaping @Sendable () -> Date, save: @escaping Save
    ) {
        state.withLock { state in
            state.save = save
            state.clock = clock
            guard let restored = text.flatMap(DestinationCapabilities.init(text:)),
                restored.fingerprint == state.capabilities.fingerprint
            else { return }
            state.capabilities = restored
        }
    }
}

extension DestinationCapabilities {
    /// The capabilities as JSON, for the ledger.
    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Creates capabilities from ``text``, or returns `nil` if the text cannot be decoded.
    init?(text: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}
