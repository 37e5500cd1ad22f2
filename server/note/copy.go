package note

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Copy copies the notes of a target to another one, with their threads, authors, times and
// reactions, and the reactions to the target itself. Both are issues or epics.
func Copy(ctx context.Context, st *db.Store, from, to Target) error {
	old, ids := from.IDs(), to.IDs()
	args := pgx.NamedArgs{
		"from_issue": old.IssueID, "from_epic": old.EpicID, "issue": ids.IssueID, "epic": ids.EpicID,
		"namespace": to.NamespaceID, "project": to.ProjectID,
	}
	const isOld = ` (t.issue_id = @from_issue::bigint or t.epic_id = @from_epic::bigint)`
	// A thread of the copy is named after the thread and the target, so that its notes stay
	// together.
	err := st.Exec(ctx, `
		with old as materialized (
		    select t.*, nextval(pg_get_serial_sequence('notes', 'id')) as new_id
		    from (select t.* from notes t where`+isOld+` order by t.created_at, t.id) t),
		copied as (
		    insert into notes (id, namespace_id, project_id, issue_id, epic_id, discussion_id, type, body, author_id,
		        system, internal, resolvable, resolved_at, resolved_by_id, last_edited_at, last_edited_by_id, created_at,
		        updated_at)
		    select new_id, @namespace::bigint, @project::bigint, @issue::bigint, @epic::bigint,
		        left(encode(sha256(convert_to(concat_ws(' ', discussion_id, @issue::bigint, @epic::bigint), 'utf8')), 'hex'),
		            40),
		        type, body, author_id, system, internal, resolvable, resolved_at, resolved_by_id, last_edited_at,
		        last_edited_by_id, created_at, updated_at from old),
		mentioned as (
		    insert into mentions (issue_id, epic_id, note_id, user_id)
		    select @issue::bigint, @epic::bigint, o.new_id, m.user_id from mentions m join old o on o.id = m.note_id)
		insert into award_emoji (note_id, user_id, name, created_at, updated_at)
		select o.new_id, a.user_id, a.name, a.created_at, a.updated_at
		from award_emoji a join old o on o.id = a.note_id order by a.id`, args)
	if err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into award_emoji (issue_id, epic_id, user_id, name, created_at, updated_at)
		select @issue::bigint, @epic::bigint, t.user_id, t.name, t.created_at, t.updated_at
		from award_emoji t where`+isOld+` order by t.id`, args)
}
