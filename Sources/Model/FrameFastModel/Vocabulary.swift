// The types of this module use identities in their interfaces, so importing it also imports `Identities`.
@_exported public import Identities
