package rewrite

import (
	"bytes"
	"strings"

	"hew/schema/pattern"
)

// elements is the outline of a list or object, with the elements to remove and to add.
type elements struct {
	open, close int // offsets of the brackets
	items       []span
	commas      bool // a list: elements on lines of their own have commas, too
	removed     map[int]bool
	added       []string
}

type span struct{ from, to int }

// lineTail matches what may follow an element on its line.
var lineTail = pattern.Lazy(`^[ \t]*(,?)[ \t]*(?:#[^\n]*|//[^\n]*|/\*[^\n]*\*/[ \t]*)?\n`)

// changeElements removes elements and adds others at the end. If the elements are on lines of their
// own, it removes and adds whole lines.
func (r *rewriter) changeElements(b elements) (why string) {
	if len(b.removed)+len(b.added) == 0 {
		return ""
	}
	if ends, ok := r.lineEnds(b); ok {
		r.changeByLine(b, ends)
		return ""
	}
	at := b.open + 1
	for _, item := range append(b.items, span{b.close, b.close}) {
		if bytes.ContainsAny(r.src[at:item.from], "#/") {
			return "there are comments between its elements, which are not on lines of their own"
		}
		at = item.to
	}
	r.changeByComma(b)
	return ""
}

// lineEnds reports whether each element has lines of its own, and returns where they end.
func (r *rewriter) lineEnds(b elements) (ends []int, ok bool) {
	if !bytes.Contains(r.src[b.open:b.close], []byte("\n")) {
		return nil, false
	}
	for i, item := range b.items {
		after := lineTail().FindIndex(r.src[item.to:b.close])
		if after == nil || !isBlank(r.src[lineStart(r.src, item.from):item.from]) {
			return nil, false
		}
		ends = append(ends, item.to+after[1])
		if i > 0 && lineStart(r.src, item.from) < ends[i-1] {
			return nil, false
		}
	}
	return ends, isBlank(r.src[lineStart(r.src, b.close):b.close])
}

// changeByLine removes and adds whole lines. ends is from lineEnds.
func (r *rewriter) changeByLine(b elements, ends []int) {
	margin := string(r.src[lineStart(r.src, b.close):b.close])
	indent, at, last := margin+"  ", lineStart(r.src, b.close), -1
	for i, item := range b.items {
		begin := lineStart(r.src, item.from)
		indent, at = string(r.src[begin:item.from]), ends[i]
		if b.removed[i] {
			r.edits = append(r.edits, edit{begin, ends[i], ""})
		} else {
			last = i
		}
	}
	comma := ""
	if last >= 0 {
		comma = string(lineTail().FindSubmatch(r.src[b.items[last].to:])[1])
	}
	if b.commas {
		if len(b.added) > 0 && last >= 0 && comma == "" {
			r.edits = append(r.edits, edit{b.items[last].to, b.items[last].to, ","})
		}
		comma = ","
	}
	for _, text := range b.added {
		r.edits = append(r.edits, edit{at, at, indent + text + comma + "\n"})
	}
}

// changeByComma removes and adds elements on shared lines.
func (r *rewriter) changeByComma(b elements) {
	n := len(b.items)
	come := strings.Join(b.added, ", ")
	if len(b.removed) == n {
		if !b.commas && come != "" {
			come = " " + come + " "
		}
		r.edits = append(r.edits, edit{b.open + 1, b.close, come})
		return
	}
	kept := n
	for kept > 0 && b.removed[kept-1] {
		kept--
	}
	for i := 0; i < kept; i++ {
		if b.removed[i] {
			r.edits = append(r.edits, edit{b.items[i].from, b.items[i+1].from, ""})
		}
	}
	if come != "" {
		come = ", " + come
	}
	r.edits = append(r.edits, edit{b.items[kept-1].to, b.items[n-1].to, come})
}

// lineStart returns where the line of an offset begins.
func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
