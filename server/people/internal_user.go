package people

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// internalUser is a user that hewd acts as, and that nobody can sign in as.
type internalUser struct {
	kind     string // in the table internal_users
	username string // gets a number where a person has it
	name     string
}

var (
	alertBot = internalUser{"alert_bot", "alert-bot", "Alert Bot"}
	ghost    = internalUser{"ghost", "ghost", "Ghost User"}
)

// AlertBot returns the user that acts on alerts: the author of the incidents that they open. The
// first call creates it.
func AlertBot(ctx context.Context, st *db.Store) (tree.User, error) { return alertBot.get(ctx, st) }

// Ghost returns the user that has what removed users wrote. The first call creates it.
func Ghost(ctx context.Context, st *db.Store) (tree.User, error) { return ghost.get(ctx, st) }

func (i internalUser) get(ctx context.Context, st *db.Store) (bot tree.User, err error) {
	bot, err = i.find(ctx, st)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return bot, err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "user "+i.username); err != nil {
			return err
		}
		if bot, err = i.find(ctx, st); fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		bot, err = i.create(ctx, st)
		return err
	})
	return bot, err
}

// isInternal reports whether hewd acts as the user with the id.
func isInternal(ctx context.Context, st *db.Store, id int64) (bool, error) {
	return db.Value[bool](ctx, st, `select exists (select from internal_users where user_id = @id)`,
		pgx.NamedArgs{"id": id})
}

func (i internalUser) find(ctx context.Context, st *db.Store) (tree.User, error) {
	return db.One[tree.User](ctx, st, "User", tree.SelectUsers+`
		join internal_users i on i.user_id = u.id where i.kind = @kind`, pgx.NamedArgs{"kind": i.kind})
}

func (i internalUser) create(ctx context.Context, st *db.Store) (tree.User, error) {
	username, err := freeUsername(ctx, st, i.username)
	if err != nil {
		return tree.User{}, err
	}
	bot := tree.NewUser(username, i.name, username+"@noreply.invalid")
	bot.Bot, bot.CanCreateGroup, bot.ProjectsLimit = true, false, 0
	if bot, err = tree.CreateUser(ctx, st, bot); err != nil {
		return bot, err
	}
	err = st.Exec(ctx, `insert into internal_users (kind, user_id) values (@kind, @id)`,
		pgx.NamedArgs{"kind": i.kind, "id": bot.ID})
	if err != nil {
		return bot, err
	}
	return bot, event.Emit(ctx, st, Created{User: bot})
}

// freeUsername returns a name, or the name with the lowest number that makes it one that nobody
// has.
func freeUsername(ctx context.Context, st *db.Store, name string) (string, error) {
	for n := 0; ; n++ {
		free := name
		if n > 0 {
			free = fmt.Sprint(name, n)
		}
		taken, err := db.Value[bool](ctx, st, `
			select exists (select from routes where key = lower(@name) and not former)
			    or exists (select from users where lower(username) = lower(@name))`, pgx.NamedArgs{"name": free})
		if err != nil || !taken {
			return free, err
		}
	}
}
