package provider

// holder is an owner of collections: a group, a project, or the instance, which
// needs no name.
type holder struct {
	name string // of its kind, and of the attribute that leads to it
	need string // the role in it that reads and writes them
}

var (
	inGroup   = holder{"group", "Owner of the group"}
	inProject = holder{"project", "Maintainer of the project"}

	theInstance = holder{"instance", "Administrator of the instance"}
)

// as returns the holder for kinds that require another role.
func (h holder) as(role string) holder { return holder{h.name, role + " of the " + h.name} }

// path returns the path of a collection of the holder: "groups/{group}/hooks".
func (h holder) path(collection string) string { return h.name + "s/{" + h.name + "}/" + collection }

// ref returns the row of the attribute that names the holder.
func (h holder) ref(more ...Option) Attr {
	return Reference(h.name, h.name, "The "+h.name+".", append(more, Required, ForceNew)...)
}
