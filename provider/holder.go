package provider

// holder is what has collections of its own: a group, a project, or the instance,
// which nothing has to name.
type holder struct {
	name string // of its kind, and of the attribute that leads to it
	need string // the role in it that reads and writes them
}

var (
	inGroup   = holder{"group", "Owner of the group"}
	inProject = holder{"project", "Maintainer of the project"}

	theInstance = holder{"instance", "Administrator of the instance"}
)

// as is the same for those who have another role there.
func (h holder) as(role string) holder { return holder{h.name, role + " of the " + h.name} }

// path is where a collection of the holder is: "groups/{group}/hooks".
func (h holder) path(collection string) string { return h.name + "s/{" + h.name + "}/" + collection }

// ref is the attribute that says which one.
func (h holder) ref(more ...Option) Attr {
	return Reference(h.name, h.name, "The "+h.name+".", append(more, Required, ForceNew)...)
}
