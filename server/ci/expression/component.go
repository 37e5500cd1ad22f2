package expression

// Components returns the strongly connected components of a graph with the nodes 0 to n-1, in each
// the node that is reached first at the beginning. A component stands after those that it leads to.
// The time is linear; the depth of the graph takes no stack.
func Components(n int, next func(node int) []int) [][]int {
	w := walk{index: make([]int, n), low: make([]int, n), next: next}
	for node := range n {
		if w.index[node] == 0 {
			w.from(node)
		}
	}
	return w.found
}

// walk is a depth-first search after Tarjan.
type walk struct {
	index, low []int // index counts from 1; 0: not reached, done: in a component
	count      int
	stack      []int
	found      [][]int
	next       func(node int) []int
}

const done = int(^uint(0) >> 1)

// frame is a node that is being walked, and where its edges go that are not followed yet.
type frame struct {
	node int
	rest []int
	at   int // of the node in the stack
}

func (w *walk) from(root int) {
	frames := []frame{w.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if len(f.rest) > 0 {
			to := f.rest[0]
			f.rest = f.rest[1:]
			if w.index[to] == 0 {
				frames = append(frames, w.enter(to))
				continue
			}
			if w.index[to] != done {
				w.low[f.node] = min(w.low[f.node], w.index[to])
			}
			continue
		}
		w.leave(*f)
		low := w.low[f.node]
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			parent := frames[len(frames)-1].node
			w.low[parent] = min(w.low[parent], low)
		}
	}
}

func (w *walk) enter(node int) frame {
	w.count++
	w.index[node], w.low[node] = w.count, w.count
	w.stack = append(w.stack, node)
	return frame{node, w.next(node), len(w.stack) - 1}
}

// leave makes a component of a node and those above it in the stack, if none leads further down.
func (w *walk) leave(f frame) {
	if w.low[f.node] != w.index[f.node] {
		return
	}
	component := append([]int(nil), w.stack[f.at:]...)
	w.stack = w.stack[:f.at]
	for _, node := range component {
		w.index[node] = done
	}
	w.low[f.node] = done
	w.found = append(w.found, component)
}
