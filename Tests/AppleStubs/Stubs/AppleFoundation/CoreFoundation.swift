// SPDX-License-Identifier: MIT

public import Foundation

// On Apple's platforms these are bridged toll-free, so that Foundation's classes can stand for them.

/// <https://developer.apple.com/documentation/corefoundation/cfarray>.
public typealias CFArray = NSArray
/// <https://developer.apple.com/documentation/corefoundation/cfdata>.
public typealias CFData = NSData
/// <https://developer.apple.com/documentation/corefoundation/cfdictionary>.
public typealias CFDictionary = NSDictionary
/// <https://developer.apple.com/documentation/corefoundation/cferror>.
public typealias CFError = NSError
/// <https://developer.apple.com/documentation/corefoundation/cfstring>.
public typealias CFString = NSString

/// <https://developer.apple.com/documentation/corefoundation/cfindex>.
public typealias CFIndex = Int
/// <https://developer.apple.com/documentation/corefoundation/cfoptionflags>.
public typealias CFOptionFlags = UInt
/// <https://developer.apple.com/documentation/corefoundation/cftypeid>.
public typealias CFTypeID = UInt
/// <https://developer.apple.com/documentation/corefoundation/cftyperef>.
public typealias CFTypeRef = AnyObject

/// <https://developer.apple.com/documentation/corefoundation/cfallocator>.
public final class CFAllocator {}
/// <https://developer.apple.com/documentation/corefoundation/cfrunloop>.
public final class CFRunLoop {}

/// <https://developer.apple.com/documentation/corefoundation/cfstreamclientcontext>.
public struct CFStreamClientContext {}
/// <https://developer.apple.com/documentation/corefoundation/cfreadstreamclientcallback>.
public typealias CFReadStreamClientCallBack =
    @convention(c) (
        UnsafeMutableRawPointer?, CFOptionFlags, UnsafeMutableRawPointer?
    ) -> Void

/// <https://developer.apple.com/documentation/corefoundation/cferrorgetcode(_:)>.
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { err.code }

/// What is one of Core Foundation's own types here says so; no other object has a number.
public protocol CoreFoundationType: AnyObject {
    static var typeID: CFTypeID { get }
}

/// <https://developer.apple.com/documentation/corefoundation/cfgettypeid(_:)>.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID {
    (cf as? any CoreFoundationType).map { type(of: $0).typeID } ?? 0
}

/// <https://developer.apple.com/documentation/kernel/osstatus>.
public typealias OSStatus = Int32

/// <https://developer.apple.com/documentation/objectivec/darwinboolean>.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Equatable, Sendable {
    public var boolValue: Bool

    public init(booleanLiteral value: Bool) {
        boolValue = value
    }
}
