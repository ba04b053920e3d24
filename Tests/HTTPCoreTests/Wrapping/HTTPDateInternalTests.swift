// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

struct HTTPDateInternalTests {
    // RFC 9110, section 5.6.7; RFC 6265, section 5.1.1 for the last ones, which cookies use.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun, 06-Nov-1994 08:49:37 GMT", "6 nov 1994 8:49:37",
        "08:49:37 1994 NOVEMBER 06", "Sun, 06 Nov 1994 08:49:37.5 GMT", "06Z Nov 1994G 08:49:37GMT",
    ])
    func eachFormOfOneInstantIsThatInstant(text: String) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    // RFC 6265, section 5.1.1, steps 3 and 4.
    @Test(arguments: [
        ("01 Jan 70 00:00:00", 0.0), ("01 Jan 99 00:00:00", 915_148_800),
        ("01 Jan 00 00:00:00", 946_684_800), ("01 Jan 69 00:00:00", 3_124_224_000),
        ("29 Feb 2024 23:59:59", 1_709_251_199),
    ])
    func twoDigitsOfAYearArePastFrom70On(text: String, seconds: TimeInterval) {
        #expect(HTTPDate.parse(text) == Date(timeIntervalSince1970: seconds))
    }

    // RFC 9110, section 5.6.7: second = 2DIGIT, a leap second included.
    @Test func aLeapSecondIsTheStartOfTheNextMinute() {
        let date = HTTPDate.parse("Sat, 31 Dec 2016 23:59:60 GMT")
        #expect(date == Date(timeIntervalSince1970: 1_483_228_800))
    }

    @Test(arguments: [
        "", "0", "120", "-1", "junk", "Sun, 06 Nov 1994", "08:49:37", "06 Nov 08:49:37",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 32 Jan 1994 08:49:37 GMT",
        "Sun, 00 Jan 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1600 08:49:37 GMT",
        "Sun, 31 Feb 2021 00:00:00 GMT", "Mon, 29 Feb 2021 00:00:00 GMT",
        "Wed, 31 Apr 2031 00:00:00 GMT", "1994-11-06T08:49:37Z",
        "999999999999999999999999 Nov 1994 08:49:37", "٠٦ Nov 1994 08:49:37",
    ])
    func junkIsNoDate(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }
}
