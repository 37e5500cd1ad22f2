package work

import (
	"maps"

	"hew/server/db"
	"hew/server/policy"
)

const codeAccess = `coalesce(p.settings ->> 'repository_access_level', 'enabled')`

// seesCode returns the condition that the viewer reads the code of a project p of a namespace n.
func (v Viewer) seesCode() string { return v.SeesFeature(codeAccess, policy.Reporter) }

const mergeRequestsAccess = `coalesce(p.settings ->> 'merge_requests_access_level', 'enabled')`

// SeesMergeRequests returns the condition that the viewer sees the merge requests of a project p of
// a namespace n. It refers to Args.
func (v Viewer) SeesMergeRequests() string {
	return `(` + v.SeesFeature(mergeRequestsAccess, policy.Reporter) + `)`
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
	w.And(`t.about_merge_request_id is null or exists (
		select from merge_requests m join projects p on p.id = m.project_id join namespaces n on n.id = p.namespace_id
		where m.id = t.about_merge_request_id and ` + v.SeesMergeRequests() + `)`)
	w.And(`t.about_project_id is null or exists (
		select from projects p join namespaces n on n.id = p.namespace_id
		where p.id = t.about_project_id and ` + v.seesCode() + `)`)
}
