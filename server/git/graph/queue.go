package graph

// A queue gives back commits by key, the highest first, and those of one key in the order in which
// they were put, as git's lists of commits do.
type queue struct {
	items []item
	puts  int
}

type item struct {
	key int64
	put int
	n   int32
}

func (i item) before(other item) bool {
	if i.key != other.key {
		return i.key > other.key
	}
	return i.put < other.put
}

func (q *queue) push(key int64, n int32) {
	q.puts++
	q.items = append(q.items, item{key, q.puts, n})
	for at := len(q.items) - 1; at > 0; {
		above := (at - 1) / 2
		if !q.items[at].before(q.items[above]) {
			return
		}
		q.items[at], q.items[above] = q.items[above], q.items[at]
		at = above
	}
}

func (q *queue) pop() int32 {
	top, last := q.items[0], len(q.items)-1
	q.items[0] = q.items[last]
	q.items = q.items[:last]
	for at := 0; ; {
		next := 2*at + 1
		if next >= last {
			return top.n
		}
		if next+1 < last && q.items[next+1].before(q.items[next]) {
			next++
		}
		if !q.items[next].before(q.items[at]) {
			return top.n
		}
		q.items[at], q.items[next] = q.items[next], q.items[at]
		at = next
	}
}

func (q *queue) empty() bool { return len(q.items) == 0 }

// highest returns the key of the commit that comes next. The queue must not be empty.
func (q *queue) highest() int64 { return q.items[0].key }

// A set is a set of numbers of commits.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) has(n int32) bool { return s[n/64]&(1<<(n%64)) != 0 }

// add adds a number and reports whether it was not there before.
func (s set) add(n int32) bool {
	if s.has(n) {
		return false
	}
	s[n/64] |= 1 << (n % 64)
	return true
}
