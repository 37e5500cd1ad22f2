package config

import (
	"context"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
)

// visits is a context that has ended and counts how many evaluations it stopped.
type visits struct {
	context.Context
	n int
}

func (v *visits) Err() error {
	v.n++
	return context.Canceled
}

// TestEvaluateWithDependencies checks that what is evaluated is not visited again, with all that it
// depends on: probes ask for thousands of instances of one graph.
func TestEvaluateWithDependencies(t *testing.T) {
	t.Parallel()
	m := &module{}
	last := &node{mod: m, seq: 0}
	middle := &node{mod: m, seq: 1, refs: []ref{{to: last}}}
	first := &node{mod: m, seq: 2, refs: []ref{{to: middle}}}
	for evaluated, want := range map[int]int{-1: 3, 0: 2, 1: 1, 2: 0} {
		v := &visits{Context: t.Context()}
		e := &Eval{ctx: v, evaluated: make([]bool, 3), failed: make([]hcl.Diagnostics, 3)}
		if evaluated >= 0 {
			e.evaluated[evaluated] = true
		}
		e.evaluateWithDependencies(first)
		require.Equal(t, want, v.n, evaluated)
	}
}
