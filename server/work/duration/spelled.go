package duration

import (
	"slices"
	"strings"
)

var (
	ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen sixteen seventeen eighteen nineteen")
	tens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety")
)

// spelled returns the number that the first words spell, such as "five", "twenty five" or
// "twenty-five", and how many words it takes: zero if they spell none.
func spelled(words []string) (n, count int) {
	first, second, joined := strings.Cut(strings.Trim(words[0], ","), "-")
	if i := slices.Index(ones, first); i >= 0 && !joined {
		return i, 1
	}
	i := slices.Index(tens, first)
	if i < 0 {
		return 0, 0
	}
	n, count = 20+10*i, 1
	if !joined && len(words) > 1 {
		second, count = strings.Trim(words[1], ","), 2
	}
	if one := slices.Index(ones, second); 1 <= one && one <= 9 {
		return n + one, count
	}
	if joined {
		return 0, 0
	}
	return n, 1
}
