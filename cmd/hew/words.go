package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hew/reconcile/plan"
	"hew/schema"
)

// remark says what an action that sends nothing does.
func remark(c *plan.Change) string {
	switch c.Action {
	case plan.Move:
		return "moved from " + clean(c.From.String())
	case plan.Release:
		if c.Gone {
			return "forgotten"
		}
		return "released: the host keeps it"
	case plan.Adopt:
		return adopts(c)
	}
	return ""
}

// adopts words an adoption: "adopts hook 71, token will be set".
func adopts(c *plan.Change) string {
	text := fmt.Sprintf("adopts %s %s", word(c.Kind), clean(c.Before.ID))
	switch {
	case c.Kind.Tree != nil && c.Title != "":
		text = fmt.Sprintf("adopts %s, %s %s", clean(c.Title), word(c.Kind), clean(c.Before.ID))
	default:
		text += ofOwner(c)
	}
	_, secrets := split(c.Paths)
	for _, p := range secrets {
		text += ", " + called(c, p.Attr) + " will be set"
	}
	return text
}

// ofOwner names whose an object is, where neither its path nor its address says
// so: what goes has no line for its owner.
func ofOwner(c *plan.Change) string {
	_, inSet := groupOf(c.Addr)
	if c.Owner == "" || c.Kind.Tree != nil || inSet || strings.Contains(c.Addr.Key, quote(c.Owner)) {
		return ""
	}
	return " of " + clean(c.Owner)
}

// causeOf words the cause of a whole object. That configuration wants it needs
// no saying.
func causeOf(c *plan.Change) string {
	why := clean(c.Why)
	if c.Cause == plan.ByConfig && why == "" {
		return ""
	}
	if c.Cause == plan.ByDrift {
		why = strings.TrimPrefix(why+traced(c), ", ")
	}
	return because(c.Cause, why, "")
}

// because joins a cause and its explanation; drift has one even where nobody
// gave it.
func because(cause plan.Cause, note, drift string) string {
	if cause == plan.Unknown || cause == "" {
		return note
	}
	if cause == plan.ByBoth {
		cause = "config and drift"
	}
	if cause == plan.ByDrift && note == "" {
		note = drift
	}
	return strings.Join(append([]string{string(cause)}, nonEmpty(note)...), ": ")
}

// sentence makes a sentence of the text of an error, which begins small and ends
// without a stop. What begins with a name stays as it is.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	first, _, _ := strings.Cut(s, " ")
	if plainWord.MatchString(first) && first != "hew" {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if s != "" && !strings.ContainsRune(".!?:\n", rune(s[len(s)-1])) && !strings.HasSuffix(s, ".)") {
		s += "."
	}
	return s
}

var plainWord = regexp.MustCompile(`^[a-z]+,?$`)

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// word is a kind's name without its owner's: hook for project_hook.
func word(k *schema.Kind) string {
	name := k.Name
	if owner := k.Owner(); owner != nil {
		name = strings.TrimPrefix(name, owner.Name+"_")
	}
	return strings.ReplaceAll(name, "_", " ")
}

// count puts a number before a noun or a phrase: 1 hook, 2 hooks. What becomes
// another with it is given, too.
func count(n int, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	case strings.HasSuffix(one, "s"):
		return fmt.Sprintf("%d %s", n, one)
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// needsNoQuotes is a word that no shell makes something else of.
var needsNoQuotes = regexp.MustCompile(`^[\w./:@%+,=-]+$`)

// pasted is a word of a command that people copy: in quotes, if a shell would make
// something else of it.
func pasted(word string) string {
	if needsNoQuotes.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// costing ends a line that sums up with what it took.
func costing(line string, requests int, seconds float64) string {
	return line + "  " + cost(requests, seconds) + "."
}

// costed is a line with what a plan took, as far as anybody can tell.
func costed(line string, of plan.Stats) string {
	if of.Shared {
		return line
	}
	return costing(line, of.Requests, of.Seconds)
}

// cost is what a run took.
func cost(requests int, seconds float64) string {
	if seconds < 120 {
		return fmt.Sprintf("%s, %.1f s", count(requests, "request"), seconds)
	}
	return fmt.Sprintf("%s, %d min %d s", count(requests, "request"), int(seconds)/60, int(seconds)%60)
}

// list joins what has a name for a sentence.
func list[T fmt.Stringer](all []T) string {
	names := make([]string, 0, len(all))
	for _, a := range all {
		names = append(names, clean(a.String()))
	}
	return someOf(names)
}

// someOf joins names for a sentence, the first few of them.
func someOf(names []string) string {
	if len(names) > foldAt {
		names = slices.Concat(names[:foldAt], []string{fmt.Sprintf("%d more", len(names)-foldAt)})
	}
	return strings.Join(names, ", ")
}

// series is a list of names in a sentence: "a, b or c".
func series(names []string, conjunction string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + conjunction + " " + names[last]
}
