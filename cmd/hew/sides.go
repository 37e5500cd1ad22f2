package main

import (
	"strings"

	"hew/reconcile/plan"
)

// sides are a line of a difference with what was on the left and what will be on the
// right; a side that is nil is not there. A line that is neither is said across both.
type sides struct {
	before, after words
	across        string
	op            rune // of a line that is the same on both sides ' ', and … for those left out
	depth         int  // how many values it is within
}

// pair sets two texts side by side, and marks the words that differ where they have
// enough in common.
func pair(before, after string) sides {
	w, alike := wordDiff(before, after)
	if !alike || columns(before) > longLine || columns(after) > longLine {
		w = words{{'-', []string{before}}, {'+', []string{after}}} // whole: what is long and alike comes as words
	}
	return w.sides()
}

// sides parts what two texts have in one.
func (w words) sides() (s sides) {
	s.before, s.after = words{}, words{}
	for _, stretch := range w {
		if stretch.op != '+' {
			s.before = append(s.before, stretch)
		}
		if stretch.op != '-' {
			s.after = append(s.after, stretch)
		}
	}
	return s
}

// unmarked is a text as it is on one side.
func unmarked(text string) words { return words{{' ', []string{text}}} }

// under puts a label before both sides.
func (s sides) under(label string) sides {
	for _, side := range []*words{&s.before, &s.after} {
		if label != "" && *side != nil {
			*side = append(unmarked(label), *side...)
		}
	}
	return s
}

// sides is a row with both its sides, in an item with a sign, and what else is to be
// said of the change.
func (r row) sides(of plan.Action) (all []sides, remark string) {
	sign := of
	if r.sign != 0 {
		sign = r.sign
	}
	value := strings.TrimPrefix(r.value, r.label)
	switch {
	case r.arrow != arrow{}:
		all, remark = append(all, pair(r.arrow.from, r.arrow.to)), strings.TrimPrefix(value, r.arrow.String())
	case r.words != nil:
		all, remark = append(all, r.words.sides()), strings.TrimPrefix(value, r.words.String())
	case r.value == "":
	case r.body != nil || r.name == notStated || r.name == "":
		all = append(all, sides{across: value})
	case sign == plan.Create:
		all = append(all, sides{after: unmarked(value)})
	case sign == plan.Delete:
		all = append(all, sides{before: unmarked(value)})
	default:
		all = append(all, sides{across: value})
	}
	return append(all, bodySides(r.body)...), strings.TrimPrefix(remark, ", ")
}

// bodySides sets the lines of a difference side by side: what goes beside what comes in
// its place.
func bodySides(lines []diffLine) (all []sides) {
	var gone []diffLine // that nothing stands beside yet
	flush := func() {
		for _, l := range gone {
			all = append(all, sides{before: words{{'-', []string{l.text}}}, depth: l.depth})
		}
		gone = nil
	}
	for _, l := range lines {
		if l.op != '+' && l.op != '-' || l.op == '-' && len(gone) > 0 && gone[0].depth != l.depth {
			flush()
		}
		switch {
		case l.op == '-':
			gone = append(gone, l)
			continue
		case l.op == '+' && len(gone) > 0 && gone[0].depth == l.depth && gone[0].label == l.label:
			s := pair(gone[0].text, l.text)
			s.depth = l.depth
			all, gone = append(all, s), gone[1:]
			continue
		case l.op == '+':
			flush()
			all = append(all, sides{after: words{{'+', []string{l.text}}}, depth: l.depth})
			continue
		}
		s := sides{across: l.text, op: l.op}
		switch {
		case l.op == ' ':
			s = sides{before: unmarked(l.text), after: unmarked(l.text), op: ' '}
		case l.words != nil:
			s = l.words.sides().under(l.label)
		case l.arrow != arrow{}:
			s = pair(l.arrow.from, l.arrow.to).under(l.label)
		}
		s.depth = l.depth
		all = append(all, s)
	}
	flush()
	return all
}
