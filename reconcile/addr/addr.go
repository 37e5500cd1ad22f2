// Package addr names things of a configuration: blocks, their instances, the
// elements of set kinds, and calls of modules. Addresses are values: comparable, usable as map
// keys, with a text form that parses back.
package addr

// Mode is the sort of block.
type Mode uint8

// A block declares a resource, reads data, or claims a collection.
const (
	Resource Mode = iota
	Data
	Exclusive
)

// Block is the address of a block: group.acme, data.projects.all,
// exclusive.project_hook.platform. Module is the dotted path of module calls,
// "" at the root. Without a kind it is the last of these calls itself:
// module.web, module.web["eu"].
type Block struct {
	Module     string
	Mode       Mode
	Kind, Name string
}

// IsCall tells whether b is a module call, with all that is in the module.
func (b Block) IsCall() bool { return b.Kind == "" && b.Module != "" }

// Instance is one object of a block. Key is the printed for_each key or count
// index ("0" and "\"0\"" differ), "" for a single instance. Elem is the
// element's key in a set kind, or a stray's id under an exclusive block.
type Instance struct {
	Block
	Key, Elem string
}
