package addr

import (
	"cmp"
	"strings"
)

// cutFirstCall splits a dotted module path after its first call, ignoring dots in quoted keys.
func cutFirstCall(path string) (call, rest string) {
	quoted := false
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '\\' && quoted:
			i++
		case path[i] == '"':
			quoted = !quoted
		case path[i] == '.' && !quoted:
			return path[:i], path[i+1:]
		}
	}
	return path, ""
}

// splitCall returns the name of a call and its key in printed form, "" for none.
func splitCall(call string) (name, key string) {
	name, key, keyed := strings.Cut(call, "[")
	if keyed {
		key = key[:len(key)-1]
	}
	return name, key
}

// CutCall returns the name of the first call of a module path, its key in printed form ("" for
// none) and the rest of the path.
func CutCall(path string) (name, key, rest string) {
	call, rest := cutFirstCall(path)
	name, key = splitCall(call)
	return name, key, rest
}

// WithoutKeys returns the block without the keys of its module calls: the address of the block as
// it is written, for all instances of the module.
func (b Block) WithoutKeys() Block {
	return b.withoutKeys(func(string) bool { return true })
}

// WithoutIndexes returns b without the count indexes of its module calls, which are positions in a
// list. Keys of for_each stay.
func (b Block) WithoutIndexes() Block {
	return b.withoutKeys(func(key string) bool { return !strings.Contains(key, `"`) })
}

func (b Block) withoutKeys(drop func(key string) bool) Block {
	if !strings.Contains(b.Module, "[") {
		return b
	}
	path := splitCalls(b.Module)
	for i := range path {
		if name, key := splitCall(path[i]); drop(key) {
			path[i] = name
		}
	}
	b.Module = strings.Join(path, ".")
	return b
}

// compareModules compares module paths call by call.
func compareModules(a, b string) int {
	if a == b {
		return 0
	}
	for a != "" && b != "" {
		var x, y string
		x, a = cutFirstCall(a)
		y, b = cutFirstCall(b)
		name, key := splitCall(x)
		other, its := splitCall(y)
		if c := cmp.Or(strings.Compare(name, other), compareKeys(key, its)); c != 0 {
			return c
		}
	}
	return strings.Compare(a, b)
}

// Contains reports whether o is i or is in it. A module call contains what is in the module, a
// block its instances, an instance its elements and its deposed objects, and a call without a key
// every call of that name. An index that may be a key or an element, as in x.y["bob"], counts as
// both.
func (i Instance) Contains(o Instance) bool {
	if !i.Deposed() {
		o = o.Declared()
	}
	rest, ok := trimModule(i.Module, o.Module)
	switch {
	case !ok:
		return false
	case i.IsCall():
		return true
	case rest != "" || i.Mode != o.Mode || i.Kind != o.Kind || i.Name != o.Name:
		return false
	case i.Elem == "" && o.Key == "" && o.Elem != "" && strings.EqualFold(i.Key, StringKey(o.Elem)):
		return true
	}
	return (i.Key == "" || i.Key == o.Key) && (i.Elem == "" || i.Elem == o.Elem)
}

// Contains reports whether o is b or is in it.
func (b Block) Contains(o Block) bool {
	return Instance{Block: b}.Contains(Instance{Block: o})
}

// trimModule removes the calls of a module path from the beginning of another. A call without a key
// matches a call with any key.
func trimModule(of, path string) (rest string, ok bool) {
	for of != "" {
		var want, have string
		want, of = cutFirstCall(of)
		have, path = cutFirstCall(path)
		name, key := splitCall(have)
		if want != have && (want != name || key == "") {
			return "", false
		}
	}
	return path, true
}

// Rebase returns the address of i after a move of from to to, and whether the move applies to i. If
// neither end of a step has a key, keys stay: module.a to module.b moves every instance. If one end
// has a key, the other is a single instance: module.a to module.a["x"] moves only what was there
// without a key.
func (i Instance) Rebase(from, to Instance) (Instance, bool) {
	module, rest, ok := rebaseModule(i.Module, from.Module, to.Module)
	if !ok {
		return i, false
	}
	if from.IsCall() {
		i.Module = JoinCalls(module, rest)
		return i, true
	}
	if rest != "" || i.Mode != from.Mode || i.Kind != from.Kind || i.Name != from.Name ||
		from.Elem != "" && from.Elem != i.Elem {
		return i, false
	}
	at := to
	at.Module = module
	if from.Key == "" && to.Key == "" {
		at.Key = i.Key
	} else if from.Key != i.Key {
		return i, false
	}
	if from.Elem == "" {
		at.Elem = i.Elem
	}
	return at, true
}

// Shortest returns the shortest move that takes from to to: the move of a module call if the two
// differ in nothing else.
func Shortest(from, to Instance) (Instance, Instance) {
	was, is := splitCalls(from.Module), splitCalls(to.Module)
	from.Module, to.Module = "", ""
	if from != to || len(was) == 0 || len(is) == 0 {
		from.Module, to.Module = strings.Join(was, "."), strings.Join(is, ".")
		return from, to
	}
	for len(was) > 1 && len(is) > 1 && was[len(was)-1] == is[len(is)-1] {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	return Instance{Block: Block{Module: strings.Join(was, ".")}}, Instance{Block: Block{Module: strings.Join(is, ".")}}
}

// rebaseModule replaces the calls of from at the beginning of path by those of to, and returns them
// and the rest of path. It pairs the calls of from and to from their ends, because the last call is
// what moves: module.a["x"] becomes module.b.module.a["x"].
func rebaseModule(path, from, to string) (module, rest string, ok bool) {
	was, is := splitCalls(from), splitCalls(to)
	for i, call := range was {
		var have string
		have, path = cutFirstCall(path)
		if have == call {
			continue
		}
		j := i + len(is) - len(was)
		name, key := splitCall(have)
		if name != call || j < 0 || strings.HasSuffix(is[j], "]") {
			return "", "", false
		}
		is[j] += "[" + key + "]"
	}
	return strings.Join(is, "."), path, true
}

func splitCalls(path string) (list []string) {
	for path != "" {
		var call string
		call, path = cutFirstCall(path)
		list = append(list, call)
	}
	return list
}

// JoinCalls joins two parts of a module path, either of which may be empty.
func JoinCalls(outer, inner string) string {
	if outer == "" || inner == "" {
		return outer + inner
	}
	return outer + "." + inner
}
