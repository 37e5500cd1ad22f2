// Package addr has the addresses of a configuration: of blocks, their instances, the elements of
// sets, and module calls.
//
// The main invariant: an address is a comparable value, so it can be a map key, and Parse returns
// an equal value for its MarshalText. String is the form for people; it does not tell the element
// of a set from a for_each key.
package addr

// Mode is the type of a block.
type Mode uint8

// Resource blocks declare objects, Data blocks read them, and Exclusive blocks claim all objects of
// a collection.
const (
	Resource Mode = iota
	Data
	Exclusive
)

// Block is the address of a block, such as group.acme, data.projects.all or
// exclusive.project_hook.platform. Module is the dotted path of module calls without "module.", ""
// in the root module. If Kind is "", the address is that of the last call: module.web,
// module.web["eu"].
type Block struct {
	Module     string
	Mode       Mode
	Kind, Name string
}

// IsCall reports whether b is the address of a module call.
func (b Block) IsCall() bool { return b.Kind == "" && b.Module != "" }

// Instance is the address of one object of a block. Key is the for_each key in quotes or the count
// index, "" for a single instance. Elem is the key of an element of a set or, under an exclusive
// block, the id of an undeclared object.
type Instance struct {
	Block
	Key, Elem string
}
