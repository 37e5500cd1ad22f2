package transfer

import "hew/server/tree"

// issueColumns are the columns of an Issue. An epic is in it if the user sees the epic, whatever
// the project says.
var issueColumns = `t.iid, t.title, t.description, t.state, t.author_id, t.type as issue_type, t.confidential,
	t.discussion_locked, t.due_date, t.weight, t.health_status, nullif(t.severity, 'unknown') as severity,
	t.time_estimate, t.relative_position, t.closed_at, t.closed_by_id, t.last_edited_by_id as updated_by_id,
	t.last_edited_at, t.last_edited_by_id, t.created_at, t.updated_at,
	` + milestoneOf + ` as milestone,
	` + one(`i.iid, i.namespace_id as group_id, i.title, i.description, i.start_date, i.due_date`,
	`from iterations i where i.id = t.iteration_id`) + ` as iteration,
	` + one(`t.epic_position as relative_position, `+jsonObject(epicColumns)+` as epic`,
	`from epics e join namespaces n on n.id = e.namespace_id
		where e.id = t.epic_id and (@admin::boolean or n.visibility = 20 and not e.confidential
			or `+tree.LevelInSpace+` >= case when e.confidential then 15 else 10 end)`) + ` as epic_issue,
	` + labelLinksOf("issue_labels", "issue_id") + ` as label_links,
	` + usersOf("issue_assignees", "issue_id") + ` as issue_assignees,
	` + notesOf("issue_id", "Issue") + ` as notes,
	` + awardEmoji("issue_id", "t.id") + ` as award_emoji,
	` + timelogsOf("issue_id") + ` as timelogs,
	` + eventsOf("issue_id = t.id and e.note_id is null") + ` as events,
	` + resourceEvents("issue_id") + `,
	` + list(`a.iid as target_iid, x.type as link_type, x.created_at, x.updated_at`,
	`from issue_links x join issues a on a.id = x.target_id
		where x.source_id = t.id and a.project_id = t.project_id order by x.id`) + ` as issue_links`

const epicColumns = `e.iid, e.namespace_id as group_id, e.author_id, e.title, e.description, e.state, e.confidential, e.color,
	e.start_date, e.due_date as end_date, e.start_date_fixed, e.due_date_fixed, e.start_date_is_fixed,
	e.due_date_is_fixed, e.closed_at, e.created_at, e.updated_at`

// releaseColumns are the columns of a Release.
var releaseColumns = `t.tag, t.name, t.description,
	(select ` + hexOf("coalesce(f.peeled, f.oid)") + ` from repositories r join refs f on f.repository_id = r.id
		where r.project_id = t.project_id and r.kind = 'project' and f.name = 'refs/tags/' || t.tag) as sha,
	t.author_id, t.released_at, t.created_at, t.updated_at,
	` + list(`l.name, l.url, l.filepath, l.link_type, l.created_at, l.updated_at`,
	`from release_links l where l.release_id = t.id order by l.id`) + ` as links,
	` + list(jsonObject(milestoneColumns("m"))+` as milestone`,
	`from release_milestones x join milestones m on m.id = x.milestone_id
		where x.release_id = t.id order by m.id`) + ` as milestone_releases`
