// SPDX-License-Identifier: MIT

package import Foundation

/// A date as HTTP writes it, in each of its three forms and in those that cookies use.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT      Sunday, 06-Nov-94 08:49:37 GMT      Sun Nov  6 08:49:37 1994
/// ```
package enum HTTPDate {
    /// Reads a date by the rules of RFC 6265, section 5.1.1, which take all of them: find a time, a day, a
    /// month and a year, in any order.
    package static func parse(_ text: String) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        var (day, time) = (DateComponents(calendar: calendar), [Int]?.none)
        for token in text.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day.day == nil, let number = number(token, 1...2) {
                day.day = number
            } else if day.month == nil,
                let month = months.firstIndex(of: token.prefix(3).lowercased())
            {
                day.month = month + 1
            } else if day.year == nil, let year = number(token, 2...4) {
                day.year = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
            }
        }
        guard day.day != nil, day.month != nil, day.year ?? 0 >= 1601, day.isValidDate,
            let time, time[0] < 24, time[1] < 60, time[2] <= 60
        else { return nil }
        return day.date?.addingTimeInterval(Double(time[0] * 3_600 + time[1] * 60 + time[2]))
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func isDelimiter(_ character: Character) -> Bool {
        !(character.isLetter || character.isNumber || character == ":")
    }

    /// The number that a token starts with; what follows its digits is of no account.
    private static func number(_ token: Substring, _ lengths: ClosedRange<Int>) -> Int? {
        let digits = token.prefix { ("0"..."9").contains($0) }
        return lengths.contains(digits.count) ? Int(digits) : nil
    }

    /// Hours, minutes and seconds.
    private static func time(_ token: Substring) -> [Int]? {
        let parts = token.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0, 1...2) }
        return numbers.count == 3 && parts[0].count <= 2 && parts[1].count <= 2 ? numbers : nil
    }
}
