// SPDX-License-Identifier: MIT

// One import is all an app needs: what the calls of this module take comes with it.
@_exported public import HTTPCore
@_exported public import HTTPMultipart

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
