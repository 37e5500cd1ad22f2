package work

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/quick"
)

// noUser is said when a command names nobody who can be assigned.
const noUser = "Failed to assign a user because no user was found."

// mentioned are users that an argument names.
type mentioned struct {
	ids   []int64
	shown string // "@a and @b"
}

// findUsers returns the users that an argument names, "me" among them.
func (r *CommandRun) findUsers(ctx context.Context, st *db.Store, argument string) (map[int64]string, error) {
	names := named(quick.Users(argument))
	for n, name := range names {
		if names[n] = strings.ToLower(name); names[n] == "me" {
			names[n] = strings.ToLower(r.actor.User.Username)
		}
	}
	type user struct {
		ID       int64  `db:"id"`
		Username string `db:"username"`
	}
	list, err := db.Many[user](ctx, st, `
		select id, username from users where lower(username) = any(@names) and state = 'active'`,
		pgx.NamedArgs{"names": names})
	found := map[int64]string{}
	for _, u := range list {
		found[u.ID] = "@" + u.Username
	}
	return found, err
}

// among returns those of the users who are among the ids.
func among(users map[int64]string, ids []int64) (m mentioned) {
	var names []string
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if name, ok := users[id]; ok {
			m.ids, names = append(m.ids, id), append(names, name)
		}
	}
	m.shown = enumerate(names)
	return m
}

// assignable returns the users that an argument names and who see the issue.
func (r *CommandRun) assignable(ctx context.Context, st *db.Store, i *Issue, argument string) (m mentioned, err error) {
	users, err := r.findUsers(ctx, st, argument)
	if err != nil {
		return m, err
	}
	var ids []int64
	for id := range users {
		ids = append(ids, id)
	}
	readers, err := IssueReaders(ctx, st, *i, ids, false)
	return among(users, readers), err
}

func assign(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	m, err := r.assignable(ctx, st, i, argument)
	if err != nil || len(m.ids) == 0 {
		return noUser, err
	}
	i.AssigneeIDs = withIDs(i.AssigneeIDs, m.ids)
	r.changes("assignee_ids", i.AssigneeIDs)
	return "Assigned " + m.shown + ".", nil
}

func reassign(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	m, err := r.assignable(ctx, st, i, argument)
	if err != nil || len(m.ids) == 0 {
		return noUser, err
	}
	i.AssigneeIDs = m.ids
	r.changes("assignee_ids", m.ids)
	return "Changed " + assigneeWord(m.ids) + " to " + m.shown + ".", nil
}

func unassign(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error) {
	gone := mentioned{ids: i.AssigneeIDs}
	if argument == "" {
		names, err := Usernames(ctx, st, i.AssigneeIDs)
		if err != nil {
			return "", err
		}
		gone.shown = names(i.AssigneeIDs)
	} else {
		users, err := r.findUsers(ctx, st, argument)
		if err != nil {
			return "", err
		}
		gone = among(users, i.AssigneeIDs)
	}
	if len(gone.ids) == 0 {
		return "", nil
	}
	i.AssigneeIDs = Without(i.AssigneeIDs, gone.ids)
	r.changes("assignee_ids", append([]int64{}, i.AssigneeIDs...))
	return "Removed " + assigneeWord(gone.ids) + " " + gone.shown + ".", nil
}

func assigneeWord(ids []int64) string {
	if len(ids) == 1 {
		return "assignee"
	}
	return "assignees"
}

// askTodo returns a command about a to-do item of the actor.
func askTodo(event, said string) doer {
	return func(_ context.Context, _ *db.Store, r *CommandRun, _ *Issue, _ string) (string, error) {
		r.changes("todo_event", event)
		r.emitTodo(event == "done")
		return said, nil
	}
}

// subscribe returns a command that keeps whether the actor wants to hear of the issue.
func subscribe(subscribed bool, said string) doer {
	event := map[bool]string{true: "subscribe", false: "unsubscribe"}[subscribed]
	return func(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
		if i.ID != 0 {
			now, err := IsSubscribed(ctx, st, i.Target(), r.actor.User.ID)
			if err != nil || now == subscribed {
				return "", err
			}
		}
		r.changes("subscription_event", event)
		r.afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
			_, err := ChooseSubscription(ctx, st, i.Target(), r.actor.User.ID, subscribed)
			return err
		})
		return said, nil
	}
}
