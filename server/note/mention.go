package note

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/markdown"
)

// maxMentions is how many names of a text are looked up.
const maxMentions = 100

// StoreMentions writes who is mentioned in the text of a target or, with a note, of that note, in
// place of who was.
func StoreMentions(ctx context.Context, st *db.Store, on Target, noteID int64, text string) error {
	if on.Kind == Commit || on.Kind == Snippet {
		return nil // nobody participates in them
	}
	ids := on.IDs()
	args := pgx.NamedArgs{
		"issue": ids.IssueID, "epic": ids.EpicID, "request": ids.MergeRequestID, "note": nil, "names": names(text),
	}
	if noteID != 0 {
		args["note"] = noteID
	}
	err := st.Exec(ctx, `
		delete from mentions where issue_id is not distinct from @issue::bigint
			and epic_id is not distinct from @epic::bigint and merge_request_id is not distinct from @request::bigint
			and note_id is not distinct from @note::bigint`, args)
	if err != nil || len(args["names"].([]string)) == 0 {
		return err
	}
	return st.Exec(ctx, `
		insert into mentions (issue_id, epic_id, merge_request_id, note_id, user_id)
		select @issue::bigint, @epic::bigint, @request::bigint, @note::bigint, u.id from users u
		where lower(u.username) = any(@names) and u.state = 'active' and not u.bot
		on conflict do nothing`, args)
}

// names returns the lower-case names that are mentioned in a text.
func names(text string) []string {
	list := []string{}
	for _, m := range markdown.Mentions(text) {
		name := strings.ToLower(m.Name)
		if !slices.Contains(list, name) && len(list) < maxMentions {
			list = append(list, name)
		}
	}
	return list
}
