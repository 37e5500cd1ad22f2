package function

import (
	"fmt"
	"sync/atomic"

	"github.com/zclconf/go-cty/cty"
)

// MaxWork is how many elements loops and functions may visit during the evaluation of one block or
// named value. HCL's library visits every element of an argument on every call, so that a call
// such as lookup(m, x) in a loop over a large list is quadratic. Only contains(list, x) has
// an Index.
const MaxWork = 20_000_000

// Work counts the elements that loops and functions visit. nil counts nothing. It is safe for
// concurrent use.
type Work struct {
	done, max atomic.Int64
	told      atomic.Bool
}

// NewWork returns a count that ends at a limit, which is MaxWork but in tests.
func NewWork(limit int64) *Work {
	w := &Work{}
	w.max.Store(limit)
	return w
}

// Reset starts the count anew.
func (w *Work) Reset() {
	w.done.Store(0)
	w.told.Store(false)
}

// Add counts n elements, and reports whether the limit is exceeded.
func (w *Work) Add(n int) (exceeded bool) {
	return w != nil && w.done.Add(int64(n)) > w.max.Load()
}

// Told reports whether Err was called since the count began: one error is enough.
func (w *Work) Told() bool { return w.told.Load() }

// Err returns the error for an exceeded limit.
func (w *Work) Err() error {
	w.told.Store(true)
	return fmt.Errorf("loops and functions visited more than %d elements. A function of a large list takes quadratic "+
		"time within a loop over a large list. Call one function of both lists instead, such as setintersection, "+
		"or look elements up in a map made outside of the loop: m[x]", w.max.Load())
}

// addArguments counts the elements of arguments.
func (w *Work) addArguments(args []cty.Value) (exceeded bool) {
	n := 0
	for _, v := range args {
		if v, _ = v.Unmark(); v.IsKnown() && v.CanIterateElements() {
			n += v.LengthInt()
		}
	}
	return w.Add(n)
}
