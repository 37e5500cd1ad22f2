package rewrite

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// list changes a list that is written element by element: what is still there
// stays as it stands.
func (r *rewriting) list(e *hclsyntax.TupleConsExpr, wants []cty.Value, unordered bool) (why string) {
	was := make([]cty.Value, len(e.Exprs))
	for i, item := range e.Exprs {
		if was[i], why = constant(item); why != "" {
			return why
		}
	}
	stays := r.common(was, wants)
	if unordered {
		stays = r.anywhere(was, wants)
	}
	b := bracket{open: e.OpenRange.Start.Byte, close: e.SrcRange.End.Byte - 1, commas: true, gone: map[int]bool{}}
	taken := map[int]bool{}
	for i, item := range e.Exprs {
		b.items = append(b.items, span{item.Range().Start.Byte, item.Range().End.Byte})
		if j, stay := stays[i]; stay {
			taken[j] = true
		} else {
			b.gone[i] = true
		}
	}
	if !unordered {
		return r.inOrder(e, b, wants, stays)
	}
	for j, want := range wants {
		if !taken[j] {
			b.come = append(b.come, inline(want))
		}
	}
	return r.alter(b)
}

// inOrder puts elements in place of others one by one, as long as there are any,
// and adds or removes at the end only. In the middle of a list that grows or
// shrinks there it writes all elements anew.
func (r *rewriting) inOrder(e *hclsyntax.TupleConsExpr, b bracket, wants []cty.Value, stays map[int]int) (why string) {
	inPlace := true
	for i, j := range stays {
		inPlace = inPlace && i == j
	}
	if !inPlace && len(stays) == min(len(b.items), len(wants)) && len(wants) < len(b.items) {
		return r.alter(b) // some are gone, and nothing else
	}
	clear(b.gone)
	for i, item := range e.Exprs {
		if i >= len(wants) {
			b.gone[i] = true
		} else if why := r.set(item, wants[i]); why != "" {
			return why
		}
	}
	for _, want := range wants[min(len(wants), len(e.Exprs)):] {
		b.come = append(b.come, inline(want))
	}
	return r.alter(b)
}

// common pairs the elements of the longest sequence that two lists have in
// common.
func (r *rewriting) common(was, wants []cty.Value) map[int]int {
	length := make([][]int, len(was)+1)
	for i := range length {
		length[i] = make([]int, len(wants)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(wants) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if r.same(was[i], wants[j]) {
				length[i][j] = max(length[i][j], 1+length[i+1][j+1])
			}
		}
	}
	pairs := map[int]int{}
	for i, j := 0, 0; i < len(was) && j < len(wants); {
		switch {
		case r.same(was[i], wants[j]) && length[i][j] == 1+length[i+1][j+1]:
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

// anywhere pairs equal elements wherever they stand.
func (r *rewriting) anywhere(was, wants []cty.Value) map[int]int {
	pairs, taken := map[int]int{}, map[int]bool{}
	for i := range was {
		for j := range wants {
			if !taken[j] && r.same(was[i], wants[j]) {
				pairs[i], taken[j] = j, true
				break
			}
		}
	}
	return pairs
}
