package forge

import (
	"context"
	"strings"

	"hew/schema/catalogue"
	"hew/server/fault"
	"hew/server/store"
)

// CreateLabel makes a label in a group or project out of what fill says (gaps §6.3). One that is called like another there,
// or in a group above, is not made.
func CreateLabel(ctx context.Context, st *store.Store, c store.Container, fill func(*store.Label) error) (store.Label, error) {
	l := store.Label{Container: c}
	err := st.Tx(ctx, func(st *store.Store) error {
		edit := checked(tidied(fill), checkLabel)
		if err := edit(&l); err != nil {
			return err
		}
		same, err := st.LabelNamesake(ctx, l)
		switch {
		case err != nil:
			return err
		case same != nil:
			return fault.Conflict("Label already exists")
		}
		l, err = st.Labels(c, 0).Create(ctx, l)
		return err
	})
	return l, err
}

// ChangeLabel lets change edit a label of a group or project, named by its id or name, and stores the outcome, as by sees it.
func ChangeLabel(
	ctx context.Context, st *store.Store, c store.Container, ref string, by int64, change func(*store.Label) error,
) (l store.Label, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		l, err = st.Labels(c, by).Change(ctx, store.LabelBy(ref), func(l *store.Label) error {
			was := l.Name
			edit := checked(tidied(change), checkLabel)
			if err := edit(l); err != nil || l.Name == was {
				return err
			}
			return checkLabelName(ctx, st, *l)
		})
		return err
	})
	return l, err
}

// PromoteLabel makes a label of a project one of the group that the project is in. The labels of other projects in and below
// that group that are called like it become one with it, and so does a label that the group has already.
func PromoteLabel(ctx context.Context, st *store.Store, p store.Project, ref string) (l store.Label, err error) {
	err = st.Tx(ctx, func(st *store.Store) error {
		if l, err = st.Labels(p.Container(), 0).One(ctx, store.LabelBy(ref)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Failed to promote project label to group label").In(fault.Text)
		}
		group := store.Container{NamespaceID: &p.NamespaceID}
		same, err := st.LabelNamesake(ctx, store.Label{Container: group, Name: l.Name})
		switch {
		case err != nil:
			return err
		case same != nil && same.Own:
			l, err = st.AvailableLabel(ctx, group, store.LabelFilter{}, l.Name)
		default:
			l, err = st.Labels(group, 0).Create(ctx, store.Label{
				Container: group, Name: l.Name, Color: l.Color, Description: l.Description,
			})
		}
		if err != nil {
			return err
		}
		return st.MergeLabels(ctx, l)
	})
	return l, err
}

// tidied is an edit that leaves a label as it is kept: a color is its digits, and the name has no blanks around it.
func tidied(edit func(*store.Label) error) func(*store.Label) error {
	return func(l *store.Label) error {
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

// checkLabel says what is wrong with a label by itself, if anything. A comma would part it in two, where labels are listed.
func checkLabel(l store.Label) error {
	var wrong problems
	if l.Name == "" {
		wrong.on("title", blank)
	}
	if strings.Contains(l.Name, ",") {
		wrong.on("title", "is invalid")
	}
	wrong.fits("title", l.Name, 255)
	if _, ok := catalogue.Colour(l.Color); !ok {
		wrong.on("color", "must be a valid color code")
	}
	return wrong.err()
}

// checkLabelName says whether a label cannot be renamed as it is, since another one is called so.
func checkLabelName(ctx context.Context, st *store.Store, l store.Label) error {
	same, err := st.LabelNamesake(ctx, l)
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
