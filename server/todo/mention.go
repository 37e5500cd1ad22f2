package todo

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/markdown"
	"hew/server/tree"
)

// maxNames is how many names of a text are looked up.
const maxNames = 100

// everybody is the name that stands for all members of the project.
const everybody = "all"

// receiver is a user whom a text mentions.
type receiver struct {
	UserID int64 `db:"user_id"`
	Direct bool  `db:"direct"` // the text is addressed to the user
}

// mentionedIn returns the users whom a text in a group or project mentions: by their names, as
// direct members of a group that the writer can read and that has not disabled mentions, or as
// members of the project by everybody. There are maxReceivers at most.
func mentionedIn(
	ctx context.Context, st *db.Store, in db.Container, writer tree.User, text string,
) ([]receiver, error) {
	var names []string
	var direct []bool
	for _, m := range markdown.Mentions(text) {
		if len(names) < maxNames {
			names, direct = append(names, strings.ToLower(m.Name)), append(direct, m.Direct)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	v := viewerOf(writer)
	args := v.Args()
	args["names"], args["direct"], args["all"], args["project"] = names, direct, v.All, nil
	groups := mentionedGroups
	if slices.Contains(names, everybody) && in.ProjectID != nil {
		args["project"] = in.ProjectID
		groups += mentionedMembers
	}
	return db.Many[receiver](ctx, st, `
		with k as (select * from unnest(@names::text[], @direct::bool[]) k (name, direct))
		select u.id as user_id, bool_or(x.direct) as direct from (
			select u.id, k.direct from k join users u on lower(u.username) = k.name`+groups+`) x (user_id, direct)
		join users u on u.id = x.user_id where u.state = 'active' and not u.bot group by u.id`+limitReceivers, args)
}

var mentionedGroups = `
	union all
	select m.user_id, k.direct from k join routes r on r.key = k.name and not r.former
		join namespaces n on n.id = r.namespace_id and n.kind = 'group'
		join members m on m.namespace_id = n.id and m.access_level >= 10 and ` + tree.Live + `
	where coalesce(n.settings ->> 'mentions_disabled', 'false') <> 'true'
		and (@all or n.visibility >= @open or ` + tree.Belongs(db.Guest) + `)`

var mentionedMembers = `
	union all
	select m.user_id, k.direct from k join projects p on p.id = @project join namespaces n on n.id = p.namespace_id
		join ` + tree.SpaceGrants + ` m on m.namespace_id = any(n.traversal_ids) where k.name = '` + everybody + `'
	union all
	select m.user_id, k.direct from k join ` + tree.ProjectGrants + ` m on m.project_id = @project
	where k.name = '` + everybody + `'`

// addMentions makes to-dos for the users whom a text mentions and one before it did not.
func addMentions(ctx context.Context, st *db.Store, a about, by tree.User, before, text string) error {
	if before == text {
		return nil
	}
	now, err := mentionedIn(ctx, st, a.Container, by, text)
	if err != nil || len(now) == 0 {
		return err
	}
	known, err := mentionedIn(ctx, st, a.Container, by, before)
	if err != nil {
		return err
	}
	byAction := map[Action][]int64{}
	for _, r := range now {
		isKnown := slices.ContainsFunc(known, func(k receiver) bool { return k.UserID == r.UserID })
		switch {
		case isKnown:
		case r.Direct:
			byAction[DirectlyAddressed] = append(byAction[DirectlyAddressed], r.UserID)
		default:
			byAction[Mentioned] = append(byAction[Mentioned], r.UserID)
		}
	}
	for _, action := range []Action{DirectlyAddressed, Mentioned} {
		if err := a.add(ctx, st, by, action, byAction[action]); err != nil {
			return err
		}
	}
	return nil
}

// add makes a to-do for each of the users who can read what it is about, and sends them mail. Who
// has one already that is pending keeps that.
func (a about) add(ctx context.Context, st *db.Store, by tree.User, action Action, users []int64) error {
	readers, err := a.readers(ctx, st, users)
	if err != nil || len(readers) == 0 {
		return err
	}
	ids := a.IDs()
	err = insert(ctx, st, readers, pgx.NamedArgs{
		"author": by.ID, "namespace": a.NamespaceID, "project": a.ProjectID, "action": action, "issue": ids.IssueID,
		"epic": ids.EpicID, "request": ids.MergeRequestID, "commit": ids.CommitOID, "note": a.noteID,
	})
	if err != nil {
		return err
	}
	return a.tell(ctx, st, by, action, readers)
}

// insert stores a to-do for each of the users, in the order of their ids, so that two transactions
// do not wait for each other.
func insert(ctx context.Context, st *db.Store, users []int64, columns pgx.NamedArgs) error {
	columns["users"] = users
	return st.Exec(ctx, `
		insert into todos (user_id, author_id, namespace_id, project_id, action, issue_id, epic_id, merge_request_id,
			commit_oid, note_id)
		select u, @author, @namespace::bigint, @project::bigint, @action, @issue::bigint, @epic::bigint,
			@request::bigint, @commit::bytea, @note::bigint
		from unnest(@users::bigint[]) u order by u
		on conflict do nothing`, columns)
}
