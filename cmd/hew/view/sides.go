package view

import (
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// sides is a line of a difference: before on the left, after on the right; nil is no such side.
// Across is a line that belongs to neither.
type sides struct {
	before, after report.Words
	across        string
	op            rune // of a line that is the same on both sides ' ', and … for those left out
	depth         int  // how many values it is within
}

// pair sets two texts side by side, and marks the words that differ where they have enough in
// common.
func pair(before, after string) sides {
	w, alike := report.WordDiff(before, after)
	if !alike || prose.Columns(before) > report.LongLine || prose.Columns(after) > report.LongLine {
		// whole: what is long and alike comes as words
		w = report.Words{{Op: '-', Tokens: []string{before}}, {Op: '+', Tokens: []string{after}}}
	}
	return sidesOfWords(w)
}

// sidesOfWords splits a word diff into its two sides.
func sidesOfWords(w report.Words) (s sides) {
	s.before, s.after = report.Words{}, report.Words{}
	for _, stretch := range w {
		if stretch.Op != '+' {
			s.before = append(s.before, stretch)
		}
		if stretch.Op != '-' {
			s.after = append(s.after, stretch)
		}
	}
	return s
}

// unmarked returns a text without marked words.
func unmarked(text string) report.Words { return report.Words{{Op: ' ', Tokens: []string{text}}} }

// withLabel puts a label before both sides.
func (s sides) withLabel(label string) sides {
	for _, side := range []*report.Words{&s.before, &s.after} {
		if label != "" && *side != nil {
			*side = append(unmarked(label), *side...)
		}
	}
	return s
}

// sidesOf returns the lines of a row with both sides, and the remark on the change. of is the
// action of its item.
func sidesOf(r report.Row, of plan.Action) (all []sides, remark string) {
	sign := of
	if r.Sign != 0 {
		sign = r.Sign
	}
	value := strings.TrimPrefix(r.Value, r.Label)
	switch {
	case r.Arrow != report.Arrow{}:
		all, remark = append(all, pair(r.Arrow.From, r.Arrow.To)), strings.TrimPrefix(value, r.Arrow.String())
	case r.Words != nil:
		all, remark = append(all, sidesOfWords(r.Words)), strings.TrimPrefix(value, r.Words.String())
	case r.Value == "":
	case r.Body != nil || r.Name == report.NotSet || r.Name == "":
		all = append(all, sides{across: value})
	case sign == plan.Create:
		all = append(all, sides{after: unmarked(value)})
	case sign == plan.Delete:
		all = append(all, sides{before: unmarked(value)})
	default:
		all = append(all, sides{across: value})
	}
	return append(all, bodySides(r.Body)...), strings.TrimPrefix(remark, ", ")
}

// bodySides sets the lines of a difference side by side: each removed line beside the one that
// replaces it.
func bodySides(lines []report.DiffLine) (all []sides) {
	var gone []report.DiffLine // that nothing stands beside yet
	flush := func() {
		for _, l := range gone {
			all = append(all, sides{before: report.Words{{Op: '-', Tokens: []string{l.Text}}}, depth: l.Depth})
		}
		gone = nil
	}
	for _, l := range lines {
		if l.Op != '+' && l.Op != '-' || l.Op == '-' && len(gone) > 0 && gone[0].Depth != l.Depth {
			flush()
		}
		switch {
		case l.Op == '-':
			gone = append(gone, l)
			continue
		case l.Op == '+' && len(gone) > 0 && gone[0].Depth == l.Depth && gone[0].Label == l.Label:
			s := pair(gone[0].Text, l.Text)
			s.depth = l.Depth
			all, gone = append(all, s), gone[1:]
			continue
		case l.Op == '+':
			flush()
			all = append(all, sides{after: report.Words{{Op: '+', Tokens: []string{l.Text}}}, depth: l.Depth})
			continue
		}
		s := sides{across: l.Text, op: l.Op}
		switch {
		case l.Op == ' ':
			s = sides{before: unmarked(l.Text), after: unmarked(l.Text), op: ' '}
		case l.Words != nil:
			s = sidesOfWords(l.Words).withLabel(l.Label)
		case l.Arrow != report.Arrow{}:
			s = pair(l.Arrow.From, l.Arrow.To).withLabel(l.Label)
		}
		s.depth = l.Depth
		all = append(all, s)
	}
	flush()
	return all
}
