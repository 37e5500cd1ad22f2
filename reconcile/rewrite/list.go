package rewrite

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// setList changes a list constructor to the wanted elements. Elements that stay are not touched.
func (r *rewriter) setList(e *hclsyntax.TupleConsExpr, wants []cty.Value, unordered bool) (why string) {
	was := make([]cty.Value, len(e.Exprs))
	for i, item := range e.Exprs {
		if was[i], why = literalValue(item); why != "" {
			return why
		}
	}
	stays := r.longestCommon(was, wants)
	if unordered {
		stays = r.matchAny(was, wants)
	}
	b := elements{open: e.OpenRange.Start.Byte, close: e.SrcRange.End.Byte - 1, commas: true, removed: map[int]bool{}}
	taken := map[int]bool{}
	for i, item := range e.Exprs {
		b.items = append(b.items, span{item.Range().Start.Byte, item.Range().End.Byte})
		if j, stay := stays[i]; stay {
			taken[j] = true
		} else {
			b.removed[i] = true
		}
	}
	if !unordered {
		return r.setOrderedList(e, b, wants, stays)
	}
	for j, want := range wants {
		if !taken[j] {
			b.added = append(b.added, oneLine(want))
		}
	}
	return r.changeElements(b)
}

// setOrderedList changes a list whose order matters. If elements only disappear, it removes them.
// Otherwise it replaces elements one by one, and adds or removes at the end.
func (r *rewriter) setOrderedList(e *hclsyntax.TupleConsExpr, b elements, wants []cty.Value,
	stays map[int]int) (why string) {
	inPlace := true
	for i, j := range stays {
		inPlace = inPlace && i == j
	}
	if !inPlace && len(stays) == min(len(b.items), len(wants)) && len(wants) < len(b.items) {
		return r.changeElements(b)
	}
	clear(b.removed)
	for i, item := range e.Exprs {
		if i >= len(wants) {
			b.removed[i] = true
		} else if why := r.set(item, wants[i]); why != "" {
			return why
		}
	}
	for _, want := range wants[min(len(wants), len(e.Exprs)):] {
		b.added = append(b.added, oneLine(want))
	}
	return r.changeElements(b)
}

// longestCommon returns the pairs of indexes of the longest common subsequence.
func (r *rewriter) longestCommon(was, wants []cty.Value) map[int]int {
	length := make([][]int, len(was)+1)
	for i := range length {
		length[i] = make([]int, len(wants)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(wants) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if r.equal(was[i], wants[j]) {
				length[i][j] = max(length[i][j], 1+length[i+1][j+1])
			}
		}
	}
	pairs := map[int]int{}
	for i, j := 0, 0; i < len(was) && j < len(wants); {
		switch {
		case r.equal(was[i], wants[j]) && length[i][j] == 1+length[i+1][j+1]:
			pairs[i] = j
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// matchAny returns the pairs of indexes of equal elements in any order.
func (r *rewriter) matchAny(was, wants []cty.Value) map[int]int {
	pairs, taken := map[int]int{}, map[int]bool{}
	for i := range was {
		for j := range wants {
			if !taken[j] && r.equal(was[i], wants[j]) {
				pairs[i], taken[j] = j, true
				break
			}
		}
	}
	return pairs
}
