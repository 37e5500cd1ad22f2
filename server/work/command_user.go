package work

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/quick"
)

// noUser is said when a command names nobody who can be assigned.
const noUser = "Failed to assign a user because no user was found."

// Named are users that an argument names.
type Named struct {
	IDs   []int64
	Shown string // "@a and @b"
}

// Count returns a word such as "reviewer" for as many users as there are.
func (n Named) Count(word string) string {
	if len(n.IDs) == 1 {
		return word
	}
	return word + "s"
}

// findUsers returns the users that an argument names, "me" among them.
func findUsers[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], argument string,
) (map[int64]string, error) {
	names := named(quick.Users(argument))
	for n, name := range names {
		if names[n] = strings.ToLower(name); names[n] == "me" {
			names[n] = strings.ToLower(r.Actor.User.Username)
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
func among(users map[int64]string, ids []int64) (m Named) {
	var names []string
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if name, ok := users[id]; ok {
			m.IDs, names = append(m.IDs, id), append(names, name)
		}
	}
	m.Shown = enumerate(names)
	return m
}

// Assignable returns the users that an argument names and who see the thing. The error is a
// FailedCommand if there are none.
func (r *CommandRun[T]) Assignable(
	ctx context.Context, st *db.Store, t T, argument string,
) (m Named, err error) {
	users, err := findUsers(ctx, st, r, argument)
	if err != nil {
		return m, err
	}
	var ids []int64
	for id := range users {
		ids = append(ids, id)
	}
	readers, err := r.on.Readers(ctx, st, t, ids)
	if m = among(users, readers); err == nil && len(m.IDs) == 0 {
		err = FailedCommand(noUser)
	}
	return m, err
}

func assign[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	m, err := r.Assignable(ctx, st, *t, argument)
	if err != nil {
		return "", err
	}
	ids := partsOf(t).AssigneeIDs
	*ids = withIDs(*ids, m.IDs)
	r.Changes("assignee_ids", *ids)
	return "Assigned " + m.Shown + ".", nil
}

func reassign[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	m, err := r.Assignable(ctx, st, *t, argument)
	if err != nil {
		return "", err
	}
	*partsOf(t).AssigneeIDs = m.IDs
	r.Changes("assignee_ids", m.IDs)
	return "Changed " + m.Count("assignee") + " to " + m.Shown + ".", nil
}

func unassign[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	ids := partsOf(t).AssigneeIDs
	gone, err := r.Among(ctx, st, *ids, argument)
	if err != nil || len(gone.IDs) == 0 {
		return "", err
	}
	*ids = Without(*ids, gone.IDs)
	r.Changes("assignee_ids", append([]int64{}, *ids...))
	return "Removed " + gone.Count("assignee") + " " + gone.Shown + ".", nil
}

// Among returns those of the users with ids that an argument names; all of them if it is empty.
func (r *CommandRun[T]) Among(ctx context.Context, st *db.Store, ids []int64, argument string) (Named, error) {
	if argument == "" {
		names, err := Usernames(ctx, st, ids)
		if err != nil {
			return Named{}, err
		}
		return Named{IDs: ids, Shown: names(ids)}, nil
	}
	users, err := findUsers(ctx, st, r, argument)
	return among(users, ids), err
}

// askTodo returns a command about a to-do item of the actor.
func askTodo[T Commanded](change, said string) Doer[T] {
	return func(_ context.Context, _ *db.Store, r *CommandRun[T], _ *T, _ string) (string, error) {
		r.Changes("todo_event", change)
		r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
			return event.Emit(ctx, st, TodoAsked{On: t.Target(), By: r.Actor.User, Done: change == "done"})
		})
		return said, nil
	}
}

// subscribe returns a command that keeps whether the actor wants to hear of the thing.
func subscribe[T Commanded](subscribed bool, said string) Doer[T] {
	event := map[bool]string{true: "subscribe", false: "unsubscribe"}[subscribed]
	return func(ctx context.Context, st *db.Store, r *CommandRun[T], t *T, _ string) (string, error) {
		if on := (*t).Target(); on.ID != 0 {
			now, err := IsSubscribed(ctx, st, on, r.Actor.User.ID)
			if err != nil || now == subscribed {
				return "", err
			}
		}
		r.Changes("subscription_event", event)
		r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
			_, err := ChooseSubscription(ctx, st, t.Target(), r.Actor.User.ID, subscribed)
			return err
		})
		return said, nil
	}
}
