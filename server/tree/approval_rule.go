package tree

import (
	"github.com/jackc/pgx/v5"
)

// Access are the arguments of approves and admitted.
func (s Source) Access() pgx.NamedArgs {
	return pgx.NamedArgs{
		"namespaces": s.Namespaces, "project": s.Project, "self": s.Namespaces[len(s.Namespaces)-1:],
	}
}
