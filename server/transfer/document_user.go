package transfer

// visibleMembers are the memberships that are exported: those of the project and, for owners of its
// group and administrators, the highest of each user in the groups above.
const visibleMembers = `(
	select m.id from members m join users u on u.id = m.user_id
	where m.project_id = @project and m.membership_state = 'active' and not u.bot
	union all
	(select distinct on (m.user_id) m.id from members m join users u on u.id = m.user_id
	where @owner::boolean and m.namespace_id = any(@namespaces::bigint[]) and m.membership_state = 'active' and not u.bot
	  and not exists (select from members own where own.project_id = @project and own.user_id = m.user_id)
	order by m.user_id, m.access_level desc, m.id))`

// memberColumns are the columns of a Member.
var memberColumns = `t.access_level, t.user_id, t.created_by_id, t.expires_at, t.created_at, t.updated_at,
	` + one(`u.id, u.username, u.public_email`, `from users u where u.id = t.user_id`) + ` as user`

const userColumns = `t.id, t.username, t.name, t.public_email`

// mentionedUsers are the users whose ids other documents have. Each part reads an index of the
// project.
const mentionedUsers = `
	select x.author_id from issues x where x.project_id = @project
	union select x.closed_by_id from issues x where x.project_id = @project
	union select a.user_id from issues x join issue_assignees a on a.issue_id = x.id where x.project_id = @project
	union select x.last_edited_by_id from issues x where x.project_id = @project
	union select a.user_id from issues x join award_emoji a on a.issue_id = x.id where x.project_id = @project
	union select a.user_id from issues x join timelogs a on a.issue_id = x.id where x.project_id = @project
	union select a.user_id from issues x join resource_events a on a.issue_id = x.id where x.project_id = @project
	union select u.id from notes x cross join unnest(array[x.author_id, x.resolved_by_id, x.last_edited_by_id]) u (id)
		where x.project_id = @project
	union select a.user_id from notes x join award_emoji a on a.note_id = x.id where x.project_id = @project
	union select x.author_id from merge_requests x where x.project_id = @project
	union select u.id from merge_requests x
		cross join unnest(array[x.merged_by_id, x.closed_by_id, x.last_edited_by_id, x.auto_merge_user_id]) u (id)
		where x.project_id = @project
	union select a.user_id from merge_requests x join award_emoji a on a.merge_request_id = x.id
		where x.project_id = @project
	union select a.user_id from merge_requests x join timelogs a on a.merge_request_id = x.id
		where x.project_id = @project
	union select a.user_id from merge_requests x join resource_events a on a.merge_request_id = x.id
		where x.project_id = @project
	union select a.user_id from merge_requests x join merge_request_assignees a on a.merge_request_id = x.id
		where x.project_id = @project
	union select a.user_id from merge_requests x join merge_request_reviewers a on a.merge_request_id = x.id
		where x.project_id = @project
	union select a.user_id from merge_requests x join merge_request_approvals a on a.merge_request_id = x.id
		where x.project_id = @project
	union select x.author_id from snippets x where x.project_id = @project
	union select x.author_id from releases x where x.project_id = @project
	union select x.user_id from pipelines x where x.project_id = @project
	union select x.user_id from jobs x where x.project_id = @project
	union select x.author_id from user_events x where x.project_id = @project
	union select x.owner_id from pipeline_schedules x where x.project_id = @project
	union select x.user_id from members x where x.project_id = @project`
