package tree

// Holds is the condition that @user has a level of at least least on a project p of a namespace n, inherited or not. The
// user's grants are read once a query, so that a row costs no more than a comparison.
func Holds(least int) string {
	spaces, projects := Granted(least)
	return `(n.traversal_ids && array(` + spaces + `) or p.id in (` + projects + `))`
}
