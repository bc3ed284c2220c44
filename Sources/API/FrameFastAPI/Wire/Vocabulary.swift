// Replies and requests are told apart by identities: whoever sees the one sees the other.
@_exported public import Identities
