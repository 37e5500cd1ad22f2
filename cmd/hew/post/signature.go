package post

import (
	"fmt"
	"strconv"
	"strings"

	"hew/cmd/hew/view"
)

// signature is a hidden line that identifies what hew wrote.
type signature struct {
	command, key string // what it is about, and of which configuration
	run          int64  // the pipeline that wrote it; 0 for none
}

// String returns the line.
func (s signature) String() string {
	if s.run == 0 {
		return s.start() + " -->"
	}
	return fmt.Sprintf("%s %d -->", s.start(), s.run)
}

func (s signature) start() string { return "<!-- hew " + s.command + " " + s.key }

// before reports whether it is of an earlier pipeline than run. A signature without a pipeline is
// never earlier: somebody ran hew by hand.
func (s signature) before(run int64) bool { return s.run > 0 && s.run < run }

// on reports whether hew wrote a note with the signature, and in which pipeline. Such a note begins
// with its heading and ends with the signature; a quotation has something before or after them.
func (s signature) on(note string) (run int64, ok bool) {
	first, rest, _ := strings.Cut(normalText(note), "\n")
	last := rest[strings.LastIndexByte(rest, '\n')+1:]
	title, headed := strings.CutPrefix(first, view.MarkdownHead(s.command))
	number, signed := strings.CutPrefix(last, s.start())
	number, closed := strings.CutSuffix(number, " -->")
	if !headed || !signed || !closed || title != "" && !strings.HasPrefix(title, ": ") {
		return 0, false
	}
	if number == "" {
		return 0, true
	}
	run, err := strconv.ParseInt(strings.TrimPrefix(number, " "), 10, 64)
	return run, err == nil && run > 0 && number[0] == ' '
}

// in reports whether a text has the signature on a line of its own. Within a line it is a
// quotation.
func (s signature) in(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimRight(line, "\r") == s.String() {
			return true
		}
	}
	return false
}

// normalText returns a text without what hosts change: line endings, and white space around it.
func normalText(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// sameText reports whether two texts are equal but for what hosts change.
func sameText(x, y string) bool { return normalText(x) == normalText(y) }
