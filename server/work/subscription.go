package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// participating returns the condition that a user u takes part in the target: as its author, as an
// assignee, as the author of a note, or because a text mentions the user. Internal says whether
// internal notes count.
func participating(on note.Target, internal bool) string {
	column := targetColumn(on)
	notes := `select o.author_id from notes o where o.` + column + ` = @target and not o.system`
	mentions := `select m.user_id from mentions m where m.` + column + ` = @target`
	if !internal {
		notes += ` and not o.internal`
		mentions += ` and not exists (select from notes o where o.id = m.note_id and o.internal)`
	}
	makers := `select e.author_id from epics e where e.id = @target`
	switch on.Kind {
	case note.MergeRequest:
		makers = `select i.author_id from merge_requests i where i.id = @target
			union all select a.user_id from merge_request_assignees a where a.merge_request_id = @target
			union all select a.user_id from merge_request_reviewers a where a.merge_request_id = @target`
	case note.Issue:
		makers = `select i.author_id from issues i where i.id = @target
			union all select a.user_id from issue_assignees a where a.issue_id = @target`
	}
	return `u.id in (` + makers + ` union all ` + notes + ` union all ` + mentions + `)`
}

// IsSubscribed reports whether a user hears of an issue, epic or merge request: by choice, or else
// as a participant.
func IsSubscribed(ctx context.Context, s *db.Store, on note.Target, userID int64) (bool, error) {
	if userID == 0 {
		return false, nil
	}
	return db.Value[bool](ctx, s, `
		select coalesce(
		    (select x.subscribed from subscriptions x where x.`+targetColumn(on)+` = @target and x.user_id = @user),
		    exists (select from users u where u.id = @user and `+participating(on, true)+`))`,
		pgx.NamedArgs{"target": on.ID, "user": userID})
}

// ChooseSubscription keeps whether a user wants to hear of an issue, epic or merge request, and
// reports whether that changes anything.
func ChooseSubscription(
	ctx context.Context, st *db.Store, on note.Target, userID int64, subscribed bool,
) (changed bool, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		now, err := IsSubscribed(ctx, st, on, userID)
		if err != nil || now == subscribed {
			return err
		}
		changed = true
		column := targetColumn(on)
		return st.Exec(ctx, `
			insert into subscriptions (`+column+`, user_id, subscribed) values (@target, @user, @subscribed)
			on conflict on constraint subscriptions_`+column+`_key do update set subscribed = excluded.subscribed`,
			pgx.NamedArgs{"target": on.ID, "user": userID, "subscribed": subscribed})
	})
	return changed, err
}

// Participants returns the users who take part in an issue, epic or merge request, by id, at most a
// thousand. Those who cannot read it any more are included: see IssueReaders.
func Participants(ctx context.Context, s *db.Store, on note.Target) ([]tree.Person, error) {
	return participants(ctx, s, on, true)
}

func participants(ctx context.Context, s *db.Store, on note.Target, internal bool) ([]tree.Person, error) {
	return db.Many[tree.Person](ctx, s, `
		select u.id, u.username, u.name, u.state, u.avatar from users u where `+participating(on, internal)+`
		order by u.id limit 1000`, pgx.NamedArgs{"target": on.ID})
}

// PublicParticipants returns the users who take part in an issue, epic or merge request for those
// who do not see its internal notes, as Participants does.
func PublicParticipants(ctx context.Context, s *db.Store, on note.Target) ([]tree.Person, error) {
	return participants(ctx, s, on, false)
}

// Subscribers returns the ids of the users who hear of an issue, epic or merge request by choice or
// as participants.
func Subscribers(ctx context.Context, s *db.Store, on note.Target) ([]int64, error) {
	return db.Values[int64](ctx, s, `
		select u.id from users u where (`+participating(on, true)+`
		    or u.id in (select x.user_id from subscriptions x where x.`+targetColumn(on)+` = @target and x.subscribed))
		    and u.id not in (
		        select x.user_id from subscriptions x where x.`+targetColumn(on)+` = @target and not x.subscribed)
		order by u.id limit 1000`, pgx.NamedArgs{"target": on.ID})
}
