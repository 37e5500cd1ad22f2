package work

import (
	"maps"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/tree"
)

const codeAccess = `coalesce(p.settings ->> 'repository_access_level', 'enabled')`

// seesCode returns the condition that the viewer reads the code of a project p of a namespace n.
func (v Viewer) seesCode() string {
	const on = codeAccess + ` <> '` + string(policy.Disabled) + `'`
	if v.All {
		return on
	}
	const public = `p.visibility >= @open and ` + codeAccess + ` = '` + string(policy.Enabled) + `'`
	return on + ` and (` + public + ` or ` + tree.Holds(int(policy.Reporter)) + `)`
}

// holdsAbove returns the condition that the viewer has a level in a namespace n.
func holdsAbove(least policy.Level) string {
	spaces, _ := tree.Granted(int(least))
	return `n.traversal_ids && array(` + spaces + `)`
}

// seesEpic returns the condition that the viewer sees an epic e of a group n.
func (v Viewer) seesEpic() string {
	if v.All {
		return `true`
	}
	return `(n.visibility >= @open or ` + holdsAbove(policy.Guest) + `)
		and (not e.confidential or ` + holdsAbove(policy.Planner) + `)`
}

// SeesAbout adds the condition that the viewer sees what a system note t tells of beside its
// target, such as the issue that mentions it.
func (v Viewer) SeesAbout(w *db.Where) {
	maps.Copy(w.Args, v.Args())
	w.And(`t.about_issue_id is null or exists (
		select from (select t.about_issue_id as id) about join issues t on t.id = about.id
		join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
		where (` + v.seesIssues() + `) and (` + v.seesConfidential() + `))`)
	w.And(`t.about_epic_id is null or exists (
		select from epics e join namespaces n on n.id = e.namespace_id
		where e.id = t.about_epic_id and ` + v.seesEpic() + `)`)
	w.And(`t.about_project_id is null or exists (
		select from projects p join namespaces n on n.id = p.namespace_id
		where p.id = t.about_project_id and ` + v.seesCode() + `)`)
}
