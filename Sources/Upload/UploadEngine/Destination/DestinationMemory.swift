import Crypto
import Foundation
import FrameFastModel
import Synchronization

/// The capabilities of one destination, shared by its uploads and kept in the ledger.
public final class DestinationMemory: Sendable {
    /// Called with each new value.
    public typealias Save = @Sendable (DestinationCapabilities) async -> Void

    private struct State {
        var capabilities: DestinationCapabilities
        var save: Save?
        var clock: @Sendable () -> Date = { Date() }
    }

    private let state: Mutex<State>

    /// Creates a memory in which nothing is known.
    ///
    /// - Parameter configuration: The destination's settings: what was learned holds for these only.
    public init(configuration: String = "") {
        let fingerprint = Hex.text(SHA256.hash(data: Data(configuration.utf8)))
        state = Mutex(State(capabilities: DestinationCapabilities(fingerprint: fingerprint)))
    }

    /// The capabilities now.
    public var capabilities: DestinationCapabilities { state.withLock { $0.capabilities } }

    /// Whether uploads use a feature.
    public func offers(_ feature: DestinationFeature) -> Bool { capabilities.offers(feature) }

    /// Records that a feature was refused, or worked.
    public func learn(_ feature: DestinationFeature, isOffered: Bool, reason: String? = nil) async {
        let (save, now) = state.withLock { state -> (Save?, DestinationCapabilities) in
            let isNew = state.capabilities.learn(
                feature, isOffered: isOffered, reason: reason, at: state.clock())
            return (isNew ? state.save : nil, state.capabilities)
        }
        await save?(now)
    }

    /// Forgets everything.
    public func reset() async {
        let (save, now) = state.withLock { state -> (Save?, DestinationCapabilities) in
            state.capabilities = DestinationCapabilities(fingerprint: state.capabilities.fingerprint)
            return (state.save, state.capabilities)
        }
        await save?(now)
    }

    /// Restores what an earlier run of the service learned of the same configuration, and saves changes from now on.
    ///
    /// - Parameter text: What ``DestinationCapabilities/text`` returned.
    func keep(
        _ text: String?, clock: @escaping @Sendable () -> Date, save: @escaping Save
    ) {
        state.withLock { state in
            state.save = save
            state.clock = clock
            guard let kept = text.flatMap(DestinationCapabilities.init(text:)),
                kept.fingerprint == state.capabilities.fingerprint
            else { return }
            state.capabilities = kept
        }
    }
}

extension DestinationCapabilities {
    /// The form that the ledger keeps.
    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    /// Reads ``text``.
    init?(text: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}
