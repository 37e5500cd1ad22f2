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

// SeesAbout adds the condition that the viewer sees what a system note t tells of beside its
// target, such as the issue that mentions it.
func (v Viewer) SeesAbout(w *db.Where) {
	maps.Copy(w.Args, v.Args())
	w.And(`t.about_issue_id is null or exists (
		select from (select t.about_issue_id as id) about join issues t on t.id = about.id
		join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
		where (` + v.seesIssues() + `) and (` + v.seesConfidential() + `))`)
	w.And(`t.about_epic_id is null or exists (
		select from (select t.about_epic_id as id) about join epics t on t.id = about.id
		join namespaces n on n.id = t.namespace_id
		where (` + v.seesEpics() + `) and (` + v.seesConfidentialEpics() + `))`)
	w.And(`t.about_project_id is null or exists (
		select from projects p join namespaces n on n.id = p.namespace_id
		where p.id = t.about_project_id and ` + v.seesCode() + `)`)
}
