package note

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/emoji"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// Awardable is what people react to: an issue, epic or merge request, or a note of one.
type Awardable struct {
	Target Target
	Note   *Note // nil: the target itself
}

// Kind returns the kind as the API writes it in awardable_type.
func (a Awardable) Kind() string {
	if a.Note != nil {
		return "Note"
	}
	return string(a.Target.Kind)
}

// ID returns the id of what people react to.
func (a Awardable) ID() int64 {
	if a.Note != nil {
		return a.Note.ID
	}
	return a.Target.ID
}

// column returns the column that refers to it.
func (a Awardable) column() string {
	if a.Note != nil {
		return "note_id"
	}
	return a.Target.Kind.Column()
}

// Award is a row of award_emoji: the reaction of a user.
type Award struct {
	ID        int64        `db:"id"`
	UserID    int64        `db:"user_id"`
	User      *tree.Person `db:"user"`
	Name      string       `db:"name"` // canonical: thumbsup
	CreatedAt time.Time    `db:"created_at"`
	UpdatedAt time.Time    `db:"updated_at"`
}

// Awarded is emitted after somebody reacted, in the transaction that stores it.
type Awarded struct {
	On    Awardable
	Award Award
	By    tree.User
}

// Unawarded is emitted after a reaction was taken back.
type Unawarded struct {
	On    Awardable
	Award Award
	By    tree.User
}

var selectAwards = `select t.id, t.user_id, t.name, t.created_at, t.updated_at, ` + tree.PersonColumn("t.user_id") +
	` as "user" from award_emoji t`

// Awards returns a page of the reactions to something, oldest first, and their capped count.
func Awards(ctx context.Context, s *db.Store, on Awardable, p db.Page) ([]Award, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.`+on.column()+` = @on`, on.ID())
	return db.List[Award](ctx, s, p, nil, "t.id", selectAwards, w)
}

// FindAward returns a reaction to something.
func FindAward(ctx context.Context, s *db.Store, on Awardable, id int64) (Award, error) {
	return db.One[Award](ctx, s, "Award Emoji", selectAwards+` where t.`+on.column()+` = @on and t.id = @id`,
		pgx.NamedArgs{"on": on.ID(), "id": id})
}

// AddAward stores the reaction of a user to something. All names of an emoji are the same one.
func AddAward(ctx context.Context, st *db.Store, on Awardable, by tree.User, name string) (a Award, err error) {
	canonical, ok := emoji.Canonical(name)
	if !ok {
		return a, fault.NotFound(`Award Emoji {:name=>["is not a valid emoji name"]}`)
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		added, err := db.Values[int64](ctx, st, `
			insert into award_emoji (`+on.column()+`, user_id, name) values (@on, @user, @name)
			on conflict do nothing returning id`,
			pgx.NamedArgs{"on": on.ID(), "user": by.ID, "name": canonical})
		switch {
		case err != nil:
			return err
		case len(added) == 0:
			return fault.NotFound(`Award Emoji {:name=>["has already been taken"]}`)
		}
		if a, err = FindAward(ctx, st, on, added[0]); err != nil {
			return err
		}
		return event.Emit(ctx, st, Awarded{On: on, Award: a, By: by})
	})
	return a, err
}

// RemoveAward takes a reaction to something back.
func RemoveAward(ctx context.Context, st *db.Store, on Awardable, by tree.User, a Award) error {
	return st.Tx(ctx, func(st *db.Store) error {
		gone, err := st.Affected(ctx, `delete from award_emoji where id = @id`, pgx.NamedArgs{"id": a.ID})
		switch {
		case err != nil:
			return err
		case gone == 0:
			return fault.NotFound("Award Emoji")
		}
		return event.Emit(ctx, st, Unawarded{On: on, Award: a, By: by})
	})
}

// ToggleAward stores the reaction of a user to something, or takes it back if it is there. ok is
// false if the name is not that of an emoji.
func ToggleAward(ctx context.Context, st *db.Store, on Awardable, by tree.User, name string) (ok bool, err error) {
	canonical, ok := emoji.Canonical(name)
	if !ok {
		return false, nil
	}
	list, err := db.Many[Award](ctx, st,
		selectAwards+` where t.`+on.column()+` = @on and t.user_id = @user and t.name = @name`,
		pgx.NamedArgs{"on": on.ID(), "user": by.ID, "name": canonical})
	if err != nil {
		return true, err
	}
	if len(list) > 0 {
		return true, RemoveAward(ctx, st, on, by, list[0])
	}
	_, err = AddAward(ctx, st, on, by, canonical)
	return true, err
}
