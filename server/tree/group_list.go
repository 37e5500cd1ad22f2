package tree

import (
	"hew/server/db"
)

// Owns is the condition that the user owns a namespace n, not by inheritance.
var Owns = `n.id in (
	select m.namespace_id from members m
	where m.user_id = @user and m.namespace_id is not null and ` + db.AsOwner + ` and ` + Live + `)`

// Belongs is the condition that the user has the level in a namespace n, granted in it or in one above it. Here and below
// the user's grants are read once a query, and held against each row; page decides whether rows or grants come first.
func Belongs(level int) string {
	spaces, _ := Granted(level)
	return `n.traversal_ids && array(` + spaces + `)`
}

// Mine is the condition that the user may see a namespace n because he is a member of it, of one above it, or of anything
// below it.
var Mine = Belongs(db.Guest) + `
	or n.id = any(array(select unnest(d.traversal_ids) from namespaces d where d.id in (` + places + `)))`
