package transfer

// ownNote returns the condition that a note tells nothing of other projects, which not everybody
// may see who gets the archive.
func ownNote(n string) string {
	return `(num_nonnulls(` + n + `.about_issue_id, ` + n + `.about_epic_id, ` + n + `.about_project_id, ` + n +
		`.about_merge_request_id) = 0 or ` + n + `.about_project_id = ` + n + `.project_id
		or exists (select from issues a where a.id = ` + n + `.about_issue_id and a.project_id = ` + n + `.project_id)
		or exists (select from merge_requests a where a.id = ` + n + `.about_merge_request_id
			and a.project_id = ` + n + `.project_id))`
}

// noteColumns are the columns of a Note about a kind of thing.
func noteColumns(n, about string) string {
	return n + `.body as note, '` + about + `' as noteable_type, ` + n + `.type, ` + n + `.author_id,
	(select json_build_object('name', u.name) from users u where u.id = ` + n + `.author_id) as author,
	` + n + `.system, ` + n + `.internal as confidential, ` + n + `.discussion_id,
	` + hexOf("coalesce("+n+".commit_oid, "+n+".request_commit_oid)") + ` as commit_id, null as line_code,
	` + n + `.position, ` + n + `.original_position, ` + n + `.resolved_at, ` + n + `.resolved_by_id,
	` + n + `.last_edited_by_id as updated_by_id, ` + n + `.last_edited_at, ` + n + `.created_at, ` + n + `.updated_at,
	` + awardEmoji("note_id", n+".id") + ` as award_emoji, null as system_note_metadata,
	` + list(`s.position as relative_order, s.applied_oid is not null as applied, `+hexOf("s.applied_oid")+` as commit_id,
		s.from_content, s.to_content, s.lines_above, s.lines_below, s.outdated`,
		`from suggestions s where s.note_id = `+n+`.id order by s.position`) + ` as suggestions,
	` + eventsOf("note_id = "+n+".id") + ` as events`
}

// eventsOf returns the list of what users did with a thing, by the condition on the events e.
func eventsOf(condition string) string {
	return list(`e.action, e.author_id, e.target_type, e.created_at, e.created_at as updated_at`,
		`from user_events e where e.`+condition+` order by e.id`)
}

// notesOf returns the list of the notes of a thing, by the column that refers to it.
func notesOf(column, about string) string {
	return list(noteColumns("n", about),
		`from notes n where n.`+column+` = t.id and `+ownNote("n")+` order by n.created_at, n.id`)
}

// awardEmoji returns the list of the reactions to a thing.
func awardEmoji(column, id string) string {
	return list(`e.name, e.user_id, e.created_at, e.updated_at`,
		`from award_emoji e where e.`+column+` = `+id+` order by e.id`)
}

// timelogsOf returns the list of the time that was spent on a thing.
func timelogsOf(column string) string {
	return list(`l.seconds as time_spent, l.user_id, l.spent_at, l.summary, l.created_at, l.created_at as updated_at`,
		`from timelogs l where l.`+column+` = t.id order by l.id`)
}

// labelLinksOf returns the list of the labels of a thing.
func labelLinksOf(table, column string) string {
	return list(jsonObject(labelColumns("l"))+` as label`,
		`from `+table+` x join labels l on l.id = x.label_id where x.`+column+` = t.id order by l.id`)
}

// usersOf returns the list of the users that a table links to a thing.
func usersOf(table, column string) string {
	return list(`x.user_id`, `from `+table+` x where x.`+column+` = t.id order by x.user_id`)
}

// resourceEvents are the columns with what happened to a thing.
func resourceEvents(column string) string {
	from := func(field string) string {
		return `from resource_events e where e.` + column + ` = t.id and e.field = '` + field + `' order by e.id`
	}
	stateThen := `coalesce((
			select case s.action when 'reopened' then 'opened' else s.action end from resource_events s
			where s.` + column + ` = t.id and s.field = 'state' and s.id <= e.id order by s.id desc limit 1), 'opened')`
	return list(`e.action, e.user_id, e.created_at,
		`+one(labelColumns("l"), `from labels l where l.id = e.label_id`)+` as label`, from("label")) +
		` as resource_label_events,
	` + list(`e.action, `+stateThen+` as state, e.user_id, e.created_at,
		`+one(milestoneColumns("m"), `from milestones m where m.id = e.milestone_id`)+` as milestone`,
		from("milestone")) + ` as resource_milestone_events,
	` + list(`e.action as state, e.user_id, `+hexOf("e.commit_oid")+` as source_commit, e.created_at`, from("state")) +
		` as resource_state_events`
}

func labelColumns(l string) string {
	return l + `.name as title, ` + l + `.color, ` + l + `.description, false as template,
	case when ` + l + `.project_id is null then 'GroupLabel' else 'ProjectLabel' end as type,
	` + l + `.namespace_id as group_id, ` + l + `.created_at, ` + l + `.updated_at,
	case when ` + l + `.priority is null then '[]'::json
	     else json_build_array(json_build_object('priority', ` + l + `.priority)) end as priorities`
}

func milestoneColumns(m string) string {
	return m + `.iid, ` + m + `.title, ` + m + `.description, ` + m + `.state, ` + m + `.start_date, ` + m + `.due_date,
	` + m + `.namespace_id as group_id, ` + m + `.created_at, ` + m + `.updated_at`
}

// milestoneOf is the milestone of an issue or merge request.
var milestoneOf = one(milestoneColumns("m"), `from milestones m where m.id = t.milestone_id`)
