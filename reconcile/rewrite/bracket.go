package rewrite

import (
	"bytes"
	"regexp"
	"strings"
)

// bracket is a list or an object of which elements come and go.
type bracket struct {
	open, close int // where its brackets stand
	items       []span
	commas      bool // between the elements, even at the end of a line
	gone        map[int]bool
	come        []string
}

type span struct{ from, to int }

// atEnd matches what may follow an element up to the end of its line.
var atEnd = regexp.MustCompile(`^[ \t]*(,?)[ \t]*(?:#[^\n]*|//[^\n]*|/\*[^\n]*\*/[ \t]*)?\n`)

// alter takes elements out and adds others at the end. Elements that stand on
// lines of their own go with their lines, and others come on lines of their own.
func (r *rewriting) alter(b bracket) (why string) {
	if len(b.gone)+len(b.come) == 0 {
		return ""
	}
	if ends, ok := r.lines(b); ok {
		r.byLines(b, ends)
		return ""
	}
	at := b.open + 1
	for _, item := range append(b.items, span{b.close, b.close}) {
		if bytes.ContainsAny(r.src[at:item.from], "#/") {
			return "comments stand between its elements, and not each on a line of its own"
		}
		at = item.to
	}
	r.byCommas(b)
	return ""
}

// lines tells whether each element has lines of its own, and where the next line
// after it begins.
func (r *rewriting) lines(b bracket) (ends []int, ok bool) {
	if !bytes.Contains(r.src[b.open:b.close], []byte("\n")) {
		return nil, false
	}
	for i, item := range b.items {
		after := atEnd.FindIndex(r.src[item.to:b.close])
		if after == nil || !blank(r.src[lineAt(r.src, item.from):item.from]) {
			return nil, false
		}
		ends = append(ends, item.to+after[1])
		if i > 0 && lineAt(r.src, item.from) < ends[i-1] {
			return nil, false
		}
	}
	return ends, blank(r.src[lineAt(r.src, b.close):b.close])
}

func (r *rewriting) byLines(b bracket, ends []int) {
	margin := string(r.src[lineAt(r.src, b.close):b.close])
	indent, at, last := margin+"  ", lineAt(r.src, b.close), -1
	for i, item := range b.items {
		begin := lineAt(r.src, item.from)
		indent, at = string(r.src[begin:item.from]), ends[i]
		if b.gone[i] {
			r.edits = append(r.edits, edit{begin, ends[i], ""})
		} else {
			last = i
		}
	}
	comma := ""
	if last >= 0 {
		comma = string(atEnd.FindSubmatch(r.src[b.items[last].to:])[1])
	}
	if b.commas {
		if len(b.come) > 0 && last >= 0 && comma == "" {
			r.edits = append(r.edits, edit{b.items[last].to, b.items[last].to, ","})
		}
		comma = ","
	}
	for _, text := range b.come {
		r.edits = append(r.edits, edit{at, at, indent + text + comma + "\n"})
	}
}

func (r *rewriting) byCommas(b bracket) {
	n := len(b.items)
	come := strings.Join(b.come, ", ")
	if len(b.gone) == n {
		if !b.commas && come != "" {
			come = " " + come + " "
		}
		r.edits = append(r.edits, edit{b.open + 1, b.close, come})
		return
	}
	kept := n
	for kept > 0 && b.gone[kept-1] {
		kept--
	}
	for i := 0; i < kept; i++ {
		if b.gone[i] {
			r.edits = append(r.edits, edit{b.items[i].from, b.items[i+1].from, ""})
		}
	}
	if come != "" {
		come = ", " + come
	}
	r.edits = append(r.edits, edit{b.items[kept-1].to, b.items[n-1].to, come})
}

// lineAt is where the line of a place begins.
func lineAt(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

func blank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
