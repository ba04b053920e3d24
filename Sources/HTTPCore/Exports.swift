// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
// On Linux, URLRequest and its kin live in a module of their own: whoever uses HTTPCore needs it too.
@_exported public import FoundationNetworking
#endif
