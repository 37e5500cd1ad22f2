package work

import (
	"context"
	"strings"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// CreateLabel makes a label in a group or project out of what fill says (gaps §6.3). One that is
// called like another there, or in a group above, is not made.
func CreateLabel(ctx context.Context, st *db.Store, c db.Container, fill func(*Label) error) (Label, error) {
	l := Label{Container: c}
	err := st.Tx(ctx, func(st *db.Store) error {
		edit := db.Checked(tidied(fill), checkLabel)
		if err := edit(st, &l); err != nil {
			return err
		}
		same, err := LabelNamesake(ctx, st, l)
		switch {
		case err != nil:
			return err
		case same != nil:
			return fault.Conflict("Label already exists")
		}
		l, err = Labels(st, c, 0).Create(ctx, l)
		return err
	})
	return l, err
}

// ChangeLabel lets change edit a label of a group or project, named by its id or name, and stores
// the outcome, as by sees it.
func ChangeLabel(
	ctx context.Context, st *db.Store, c db.Container, ref string, by int64, change func(*Label) error,
) (Label, error) {
	return Labels(st, c, by).Change(ctx, LabelBy(ref), func(st *db.Store, l *Label) error {
		was := l.Name
		edit := db.Checked(tidied(change), checkLabel)
		if err := edit(st, l); err != nil || l.Name == was {
			return err
		}
		return checkLabelName(ctx, st, *l)
	})
}

// PromoteLabel makes a label of a project one of the group that the project is in. The labels of
// other projects in and below that group that are called like it become one with it, and so does a
// label that the group has already.
func PromoteLabel(ctx context.Context, st *db.Store, p tree.Project, ref string) (l Label, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if l, err = Labels(st, p.Container(), 0).One(ctx, LabelBy(ref)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Failed to promote project label to group label").In(fault.Text)
		}
		group := db.Container{NamespaceID: &p.NamespaceID}
		same, err := LabelNamesake(ctx, st, Label{Container: group, Name: l.Name})
		switch {
		case err != nil:
			return err
		case same != nil && same.Own:
			l, err = AvailableLabel(ctx, st, group, LabelFilter{}, l.Name)
		default:
			l, err = Labels(st, group, 0).Create(ctx, Label{
				Container: group, Name: l.Name, Color: l.Color, Description: l.Description,
			})
		}
		if err != nil {
			return err
		}
		return MergeLabels(ctx, st, l)
	})
	return l, err
}

// tidied is an edit that leaves a label as it is kept: a color is its digits, and the name has no
// blanks around it.
func tidied(edit func(*Label) error) func(*Label) error {
	return func(l *Label) error {
		if err := edit(l); err != nil {
			return err
		}
		l.Name = strings.TrimSpace(l.Name)
		if kept, ok := catalogue.Colour(strings.TrimSpace(l.Color)); ok {
			l.Color = kept
		}
		return nil
	}
}

// checkLabel says what is wrong with a label by itself, if anything. A comma would part it in two,
// where labels are listed.
func checkLabel(l Label) error {
	var wrong check.Problems
	if l.Name == "" {
		wrong.On("title", check.Blank)
	}
	if strings.Contains(l.Name, ",") {
		wrong.On("title", "is invalid")
	}
	wrong.Fits("title", l.Name, 255)
	if _, ok := catalogue.Colour(l.Color); !ok {
		wrong.On("color", "must be a valid color code")
	}
	return wrong.Err()
}

// checkLabelName says whether a label cannot be renamed as it is, since another one is called so.
func checkLabelName(ctx context.Context, st *db.Store, l Label) error {
	same, err := LabelNamesake(ctx, st, l)
	switch {
	case err != nil || same == nil:
		return err
	case same.Own:
		return fault.Invalid("title", "has already been taken")
	case l.ProjectID != nil:
		return fault.Invalid("title", "already exists at group level for "+same.Group+". Please choose another one.")
	}
	return nil // a group may call its labels as one above does
}
