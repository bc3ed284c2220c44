// Replies and requests contain identities, so each client of this module needs them.
@_exported public import Identities
