package load

import (
	"crypto/sha1" //nolint:gosec // names of threads, as the public service has them
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"hew/server/git/object"
	"hew/server/markdown"
)

// text returns a text that is not empty, else null.
func text[S ~string](s *S) any {
	if s == nil || *s == "" {
		return nil
	}
	return string(*s)
}

// Storable returns a text as it is stored: without NUL, which Postgres refuses.
func Storable(text string) string { return strings.ReplaceAll(text, "\x00", "") }

// timeOr returns the time, or the other one if there is none.
func timeOr(t *time.Time, other time.Time) time.Time {
	if t == nil || t.IsZero() {
		return other
	}
	return *t
}

// span returns when something was made and changed. What has no times was made now.
func span(created, updated *time.Time) (from, to time.Time) {
	from = timeOr(created, time.Now().UTC())
	return from, timeOr(updated, from)
}

// date returns a day, null if there is none.
func date(field string, day *string) (any, error) {
	if day == nil || *day == "" {
		return nil, nil
	}
	t, err := time.Parse(time.DateOnly, (*day)[:min(len(*day), len(time.DateOnly))])
	if err != nil {
		return nil, invalid(fmt.Sprintf("%s: %.40q is not a day such as 2026-01-31", field, *day))
	}
	return t.Format(time.DateOnly), nil
}

// number returns the number of something in its project.
func number(iid int64) (int, error) {
	if iid < 1 || iid > math.MaxInt32 {
		return 0, invalid(fmt.Sprintf("iid: %d is not a number from 1 to %d", iid, math.MaxInt32))
	}
	return int(iid), nil
}

// small returns an integer, null if it is none or too large.
func small(n *int64) any {
	if n == nil || *n > math.MaxInt32 || *n < math.MinInt32 {
		return nil
	}
	return *n
}

// checkTitle returns what is wrong with a title.
func checkTitle(field, title string) error {
	switch n := utf8.RuneCountInString(title); {
	case strings.TrimSpace(title) == "":
		return invalid(field + ": can't be blank")
	case n > 255:
		return invalid(field + ": is too long (maximum is 255 characters)")
	}
	return nil
}

// oneOf returns a word if it is one of a list, else the default.
func oneOf[S ~string](word S, otherwise any, words ...string) any {
	for _, w := range words {
		if string(word) == w {
			return w
		}
	}
	return otherwise
}

// oid returns the id of an object for a column, null if it is none.
func oid(sha *string) any {
	if sha == nil {
		return nil
	}
	id, err := object.ParseID(*sha)
	if err != nil || id.IsZero() {
		return nil
	}
	return `\x` + id.String()
}

// threadID returns the id of a thread: the same for the same thread of the source whenever it is
// asked, and another one in another project.
func (l *Loader) threadID(of string, discussion *string, position int) string {
	name := fmt.Sprintf("%d %s %d", l.Task.ProjectID, of, position)
	if discussion != nil && *discussion != "" {
		name = fmt.Sprintf("%d %s %s", l.Task.ProjectID, of, *discussion)
	}
	sum := sha1.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// quoted returns a text with mentions in backticks, which mean people of the source (transfer.md
// §1.3), null if there is none.
func quoted(text *string) any {
	if text == nil {
		return nil
	}
	return markdown.QuoteMentions(*text)
}

// now is the time for what a document says none of.
func now() time.Time { return time.Now().UTC() }
