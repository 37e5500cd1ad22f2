package config

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// MemoryVariable is the environment variable that sets how much memory an evaluation can use, in
// MiB.
const MemoryVariable = "HEW_MEMORY_LIMIT"

const (
	defaultMemory  = 4096 // MiB
	leastMemory    = 64   // MiB; hew itself takes some of it
	memoryInterval = 20 * time.Millisecond
	maxValue       = 64 << 20 // see valueSize
)

// memory is what the evaluations of a configuration can use.
type memory struct {
	limit uint64                    // of the heap, in bytes
	at    atomic.Pointer[hcl.Range] // what is being evaluated
}

// newMemory returns the memory that the environment allows.
func newMemory(vars Vars) (*memory, error) {
	mib := uint64(defaultMemory)
	if vars.Env != nil {
		if text, _ := vars.Env(MemoryVariable); text != "" {
			n, err := strconv.ParseUint(text, 10, 32)
			if err != nil || n < leastMemory {
				return nil, fmt.Errorf("%s must be a whole number of MiB, at least %d, such as %d", MemoryVariable,
					leastMemory, defaultMemory)
			}
			mib = n
		}
	}
	return &memory{limit: mib << 20}, nil
}

// exceeded reports whether the heap is larger than the limit without what can be collected.
func (m *memory) exceeded() bool {
	if heapSize() <= m.limit {
		return false
	}
	runtime.GC()
	return heapSize() > m.limit
}

func heapSize() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func (m *memory) exceededError() hcl.Diagnostics {
	return hcl.Diagnostics{{Severity: hcl.DiagError, Subject: m.at.Load(), Summary: "Evaluation needs too much memory",
		Detail: fmt.Sprintf("The evaluation was stopped here because hew used more than %d MiB of memory. Make the "+
			"value smaller. If the machine has more memory to spare, set %s to a larger number of MiB.",
			m.limit>>20, MemoryVariable)}}
}

// checkSize returns an error if a value is too large to be kept: each of a chain of local values
// can double the one before.
func checkSize(v cty.Value, at hcl.Range) hcl.Diagnostics {
	if valueSize(v, maxValue) >= 0 {
		return nil
	}
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Value too large", Subject: &at,
		Detail: fmt.Sprintf("The value is larger than %d MiB. Make it smaller.", maxValue>>20)}}
}

// valueSize returns what is left of a number of bytes after the strings of a value and 32 bytes,
// which a cty.Value takes, for each value within it, or a negative number. An element that occurs
// twice counts twice, as it does for whatever walks the value.
func valueSize(v cty.Value, left int) int {
	v, _ = v.Unmark()
	left -= 32
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		left -= len(v.AsString())
	case v.CanIterateElements():
		for it := v.ElementIterator(); left >= 0 && it.Next(); {
			key, element := it.Element()
			if key.Type() == cty.String {
				left -= len(key.AsString())
			}
			left = valueSize(element, left)
		}
	}
	return left
}

// rangeOf returns where the expression of a node is, or its declaration.
func rangeOf(n *node) *hcl.Range {
	at := n.decl
	if len(n.exprs) > 0 {
		at = n.exprs[0].Range()
	}
	return &at
}
