package note

import (
	"time"

	"hew/server/tree"
)

// Awardable is what people react to: an issue or epic, or a note of one.
type Awardable struct {
	Target Target
	Note   *Note // nil: the target itself
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
