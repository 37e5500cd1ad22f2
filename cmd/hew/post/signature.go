package post

import (
	"fmt"
	"strconv"
	"strings"

	"hew/cmd/hew/view"
)

// signature is a line that nobody sees, by which hew finds again what it wrote.
type signature struct {
	command, key string // about what, and whose it is
	run          int64  // the pipeline that wrote it, 0 for none
}

// String returns the line.
func (s signature) String() string {
	if s.run == 0 {
		return s.start() + " -->"
	}
	return fmt.Sprintf("%s %d -->", s.start(), s.run)
}

func (s signature) start() string { return "<!-- hew " + s.command + " " + s.key }

// before tells whether it is of an earlier pipeline than another. What is of none
// is written by hand, by somebody who knows.
func (s signature) before(run int64) bool { return s.run > 0 && s.run < run }

// on tells whether hew wrote a note with the signature, in whichever pipeline, and
// returns that one. Such a note has its heading in the first line and the
// signature in the last: whoever quotes it has something before or behind them.
func (s signature) on(note string) (run int64, ok bool) {
	first, rest, _ := strings.Cut(asKept(note), "\n")
	last := rest[strings.LastIndexByte(rest, '\n')+1:]
	said, headed := strings.CutPrefix(first, view.MarkdownHead(s.command))
	number, signed := strings.CutPrefix(last, s.start())
	number, closed := strings.CutSuffix(number, " -->")
	if !headed || !signed || !closed || said != "" && !strings.HasPrefix(said, ": ") {
		return 0, false
	}
	if number == "" {
		return 0, true
	}
	run, err := strconv.ParseInt(strings.TrimPrefix(number, " "), 10, 64)
	return run, err == nil && run > 0 && number[0] == ' '
}

// in tells whether a text has the signature on a line of its own. Within a line it
// is a text that somebody wrote, and hew has quoted.
func (s signature) in(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(line, "\r") == s.String() {
			return true
		}
	}
	return false
}

// asKept is a text without what hosts change of it: how lines end, and what is
// empty around it.
func asKept(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// sameText tells whether two texts differ in more than that.
func sameText(x, y string) bool { return asKept(x) == asKept(y) }
