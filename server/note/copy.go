package note

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// Copy copies the notes of a target to another one, with their threads, authors, times and
// reactions, and the reactions to the target itself. Both are issues or epics. Rewrite gets the
// bodies and returns those of the copies. It gets those of the first notes, up to 16 MiB together;
// the others stay as they are.
func Copy(
	ctx context.Context, st *db.Store, from, to Target,
	rewrite func(ctx context.Context, st *db.Store, bodies []string) ([]string, error),
) error {
	old, ids := from.IDs(), to.IDs()
	args := pgx.NamedArgs{
		"from_issue": old.IssueID, "from_epic": old.EpicID, "issue": ids.IssueID, "epic": ids.EpicID,
		"namespace": to.NamespaceID, "project": to.ProjectID,
	}
	if err := rewriteBodies(ctx, st, from, rewrite, args); err != nil {
		return err
	}
	const isOld = ` (t.issue_id = @from_issue::bigint or t.epic_id = @from_epic::bigint)`
	// A thread of the copy is named after the thread and the target, so that its notes stay
	// together.
	err := st.Exec(ctx, `
		with old as materialized (
		    select t.*, nextval(pg_get_serial_sequence('notes', 'id')) as new_id
		    from (select t.* from notes t where`+isOld+` order by t.created_at, t.id) t),
		rewritten as (select * from unnest(@notes::bigint[], @bodies::text[]) as x(id, text)),
		copied as (
		    insert into notes (id, namespace_id, project_id, issue_id, epic_id, discussion_id, type, body, author_id,
		        system, internal, resolvable, resolved_at, resolved_by_id, last_edited_at, last_edited_by_id, created_at,
		        updated_at, about_issue_id, about_epic_id, about_project_id)
		    select new_id, @namespace::bigint, @project::bigint, @issue::bigint, @epic::bigint,
		        left(encode(sha256(convert_to(concat_ws(' ', discussion_id, @issue::bigint, @epic::bigint), 'utf8')), 'hex'),
		            40),
		        type, coalesce(r.text, body), author_id, system, internal, resolvable, resolved_at, resolved_by_id, last_edited_at,
		        last_edited_by_id, created_at, updated_at, about_issue_id, about_epic_id, about_project_id
		    from old left join rewritten r on r.id = old.id),
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

// maxRewritten is how much text of notes is in memory to be rewritten, in bytes: a target can have
// 5000 notes of a million characters.
const maxRewritten = 16 << 20

// rewriteBodies sets @notes and @bodies: the notes of a target whose copies say something else, and
// what.
func rewriteBodies(
	ctx context.Context, st *db.Store, of Target,
	rewrite func(ctx context.Context, st *db.Store, bodies []string) ([]string, error), args pgx.NamedArgs,
) error {
	w := db.NewWhere(nil)
	of.where(w)
	w.Args["most"] = maxRewritten
	list, err := db.Many[struct {
		ID   int64  `db:"id"`
		Body string `db:"body"`
	}](ctx, st, `
		select id, body from (
		    select t.id, t.body, sum(octet_length(t.body)) over (order by t.id) as total
		    from notes t`+w.String()+`) t
		where total <= @most order by id`, w.Args)
	if err != nil {
		return err
	}
	bodies := make([]string, len(list))
	for i, n := range list {
		bodies[i] = n.Body
	}
	texts, err := rewrite(ctx, st, bodies)
	if err != nil {
		return err
	}
	changed, others := []int64{}, []string{}
	for i, n := range list {
		if texts[i] != n.Body {
			changed, others = append(changed, n.ID), append(others, texts[i])
		}
	}
	args["notes"], args["bodies"] = changed, others
	return nil
}
