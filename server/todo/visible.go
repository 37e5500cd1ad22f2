package todo

import (
	"strconv"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// Who may have a to-do: those who can read its target and its note, and decide on the request for
// access. The rule is here as a condition of lists; readers.go applies it to users who are named.
// TestVisibility holds both to the same oracle.

const repositoryAccess = `coalesce(p.settings ->> 'repository_access_level', 'enabled')`

// visibleTo returns the condition that the viewer sees what a to-do is about, among the tables.
func visibleTo(v work.Viewer) string {
	const coded = repositoryAccess + ` <> '` + string(policy.Disabled) + `'`
	issue := `d.issue_id is not null and (` + v.SeesIssue() + `)
		or d.merge_request_id is not null and ` + v.SeesMergeRequests()
	if v.All {
		return issue + ` or d.issue_id is null and d.merge_request_id is null and (d.commit_oid is null or ` + coded + `)`
	}
	planner := tree.Holds(int(policy.Planner))
	const open = `n.visibility >= @open or `
	return `(o.id is null or not o.internal or ` + planner + `) and (` + issue + `
		or d.epic_id is not null and (` + open + tree.Holds(db.Guest) + `)
			and (not e.confidential or e.author_id = @user or ` + planner + `)
		or d.commit_oid is not null and ` + coded + `
			and (p.visibility >= @open and ` + repositoryAccess + ` = '` + string(policy.Enabled) + `'
				or ` + tree.Holds(int(policy.Reporter)) + `)
		or d.action = '` + string(AccessRequested) + `' and n.id = d.namespace_id and ` + tree.Holds(db.Owner) + `
		or d.action = '` + string(AccessRequested) + `' and p.id = d.project_id and ` + tree.Holds(db.Maintainer) + `)`
}

// viewerOf returns a user as who reads issues and epics.
func viewerOf(u tree.User) work.Viewer {
	v := work.Viewer{UserID: u.ID, Open: db.Internal, All: u.Admin}
	switch {
	case u.Admin:
		v.Open = db.Private
	case u.External:
		v.Open = db.Public
	}
	return v
}

// deciders is the least level of those who decide on requests for access.
func deciders(c db.Container) int {
	if c.ProjectID != nil {
		return db.Maintainer
	}
	return db.Owner
}

// maxReceivers is how many users one text or request makes to-dos for, at most.
const maxReceivers = 1000

var limitReceivers = ` order by u.id limit ` + strconv.Itoa(maxReceivers)
