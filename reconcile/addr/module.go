package addr

import (
	"cmp"
	"strings"
)

// cutCall splits a dotted module path after its first call; a dot inside a
// quoted key does not count.
func cutCall(path string) (call, rest string) {
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

// splitCall parts a call's name from its printed key, "" for a single one.
func splitCall(call string) (name, key string) {
	name, key, keyed := strings.Cut(call, "[")
	if keyed {
		key = key[:len(key)-1]
	}
	return name, key
}

// CutCall takes the first call off a module path: its name, its printed key, ""
// for a single one, and what follows it.
func CutCall(path string) (name, key, rest string) {
	call, rest := cutCall(path)
	name, key = splitCall(call)
	return name, key, rest
}

// Unkeyed is the block with every call of its module path taken without its
// key: as it is written, whichever instance of the module it is in.
func (b Block) Unkeyed() Block {
	if !strings.Contains(b.Module, "[") {
		return b
	}
	path := calls(b.Module)
	for i := range path {
		path[i], _ = splitCall(path[i])
	}
	b.Module = strings.Join(path, ".")
	return b
}

// compareModules orders module paths call by call.
func compareModules(a, b string) int {
	if a == b {
		return 0
	}
	for a != "" && b != "" {
		var x, y string
		x, a = cutCall(a)
		y, b = cutCall(b)
		name, key := splitCall(x)
		other, its := splitCall(y)
		if c := cmp.Or(strings.Compare(name, other), compareKeys(key, its)); c != 0 {
			return c
		}
	}
	return strings.Compare(a, b)
}

// Contains tells whether o is i or lies within it: a module call contains what
// is in the module, a block its instances, an instance its elements and what
// was deposed from it, and a call without a key every call of that name. Where
// an index could be a key as well as an element, x.y["bob"], it is both.
func (i Instance) Contains(o Instance) bool {
	if !i.Deposed() {
		o = o.Declared()
	}
	rest, ok := cutModule(i.Module, o.Module)
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

// Contains tells whether o is b or lies within it.
func (b Block) Contains(o Block) bool {
	return Instance{Block: b}.Contains(Instance{Block: o})
}

// cutModule takes the calls of a module path off another that begins with them,
// whatever their keys where the first names none.
func cutModule(of, path string) (rest string, ok bool) {
	for of != "" {
		var want, have string
		want, of = cutCall(of)
		have, path = cutCall(path)
		name, key := splitCall(have)
		if want != have && (want != name || key == "") {
			return "", false
		}
	}
	return path, true
}

// Rebase is the address of i once from has become to, and whether from speaks
// of i at all. Where neither end of a step has a key the keys stay as they are:
// module.a to module.b moves every instance. Where one end has a key the other
// is a single instance: module.a to module.a["x"] moves what was there before
// the call had keys.
func (i Instance) Rebase(from, to Instance) (Instance, bool) {
	module, rest, ok := rebaseModule(i.Module, from.Module, to.Module)
	if !ok {
		return i, false
	}
	if from.IsCall() {
		i.Module = JoinCalls(module, rest)
		return i, true
	}
	if rest != "" || i.Mode != from.Mode || i.Kind != from.Kind || i.Name != from.Name || from.Elem != "" && from.Elem != i.Elem {
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

// Shortest is the move that takes from to to and names as little as it can: where
// the two differ in a module that they are in, that one's.
func Shortest(from, to Instance) (Instance, Instance) {
	was, is := calls(from.Module), calls(to.Module)
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

// rebaseModule turns the calls of from at the head of path into those of to, and
// returns what follows them. The two are lined up at their ends, where what
// moves is: module.a["x"] goes to module.b.module.a["x"].
func rebaseModule(path, from, to string) (module, rest string, ok bool) {
	was, is := calls(from), calls(to)
	for i, call := range was {
		var have string
		have, path = cutCall(path)
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

func calls(path string) (list []string) {
	for path != "" {
		var call string
		call, path = cutCall(path)
		list = append(list, call)
	}
	return list
}

// JoinCalls puts two parts of a module path together, either of which may be
// empty.
func JoinCalls(outer, inner string) string {
	if outer == "" || inner == "" {
		return outer + inner
	}
	return outer + "." + inner
}
