// Signs that annotators print, as the numbers that PGN has for them.
#include "games/pgn.hpp"

namespace cotulenh::pgn {

int nag_of_sign(std::string_view text) {
    struct Sign {
        std::string_view text;
        int nag;
    };
    static constexpr Sign SIGNS[] = {
        {"\xE2\x80\xBC", 3},
        {"\xE2\x81\x87", 4},
        {"\xE2\x81\x89", 5},
        {"\xE2\x81\x88", 6},
        {"\xE2\x96\xA1", 7},
        {"=", 10},
        {"==", 10},
        {"~", 13},
        {"\xE2\x88\x9E", 13},
        {"+=", 14},
        {"+/=", 14},
        {"\xE2\xA9\xB2", 14},
        {"=+", 15},
        {"=/+", 15},
        {"\xE2\xA9\xB1", 15},
        {"+/-", 16},
        {"\xC2\xB1", 16},
        {"\xB1", 16},
        {"-/+", 17},
        {"\xE2\x88\x93", 17},
        {"+-", 18},
        {"+\xE2\x88\x92", 18},
        {"-+", 19},
        {"\xE2\x88\x92+", 19},
        {"\xE2\xA8\x80", 22},
        {"\xE2\x8A\x99", 22},
        {"\xE2\x9F\xB3", 32},
        {"\xE2\x86\x91", 36},
        {"\xE2\x86\x92", 40},
        {"=/\xE2\x88\x9E", 44},
        {"=\xE2\x88\x9E", 44},
        {"\xC2\xA9", 44},
        {"\xE2\x87\x86", 132},
        {"\xE2\x8A\x95", 138},
        {"\xE2\xA8\x81", 138},
        {"\xE2\x88\x86", 140},
        {"\xE2\x96\xB3", 140},
        {"\xE2\x8C\x93", 142},
        {"RR", 145},
        {"N", 146},
        {"TN", 146},
        {"D", 220},
    };
    for (const Sign& sign : SIGNS)
        if (sign.text == text) return sign.nag;
    return -1;
}

}  // namespace cotulenh::pgn
