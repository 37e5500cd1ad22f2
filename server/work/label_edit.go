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

// CreateLabel stores the label that fill sets up in a group or project (gaps §6.3). It returns a
// conflict if the group, the project or a group above has a label of that name.
func CreateLabel(ctx context.Context, st *db.Store, c db.Container, fill func(*Label) error) (Label, error) {
	l := Label{Container: c}
	err := st.Tx(ctx, func(st *db.Store) error {
		edit := db.Checked(normalized(fill), checkLabel)
		if err := edit(st, &l); err != nil {
			return err
		}
		same, err := findSameName(ctx, st, l)
		switch {
		case err != nil:
			return err
		case same != nil:
			return fault.Conflict(labelTaken)
		}
		l, err = Labels(st, c, 0).Create(ctx, l)
		return err
	})
	return l, err
}

// ChangeLabel edits a label of a group or project, given by id or name, and returns it as user by
// sees it.
func ChangeLabel(
	ctx context.Context, st *db.Store, c db.Container, ref string, by int64, change func(*Label) error,
) (Label, error) {
	return Labels(st, c, by).Change(ctx, ByLabelRef(ref), func(st *db.Store, l *Label) error {
		was := l.Name
		edit := db.Checked(normalized(change), checkLabel)
		if err := edit(st, l); err != nil || l.Name == was {
			return err
		}
		return checkLabelName(ctx, st, *l)
	})
}

// PromoteLabel moves a label of a project to the project's group and returns it as user by sees it.
// Labels of the same name in other projects of the group, and in the group itself, are merged into
// it.
func PromoteLabel(ctx context.Context, st *db.Store, p tree.Project, ref string, by int64) (l Label, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if l, err = Labels(st, p.Container(), by).One(ctx, ByLabelRef(ref)); err != nil {
			return err
		}
		if p.NamespaceKind != "group" {
			return fault.BadRequest("Failed to promote project label to group label").In(fault.Text)
		}
		if err := lockLabelName(ctx, st, l.Name); err != nil {
			return err
		}
		group := db.Container{NamespaceID: &p.NamespaceID}
		labels := Labels(st, group, by)
		into, err := labels.One(ctx, labelByName(l.Name))
		if fault.CodeOf(err) == fault.CodeNotFound {
			into, err = labels.Create(ctx, Label{
				Container: group, Name: l.Name, Color: l.Color, Description: l.Description,
			})
		}
		if err != nil {
			return err
		}
		if err := mergeProjectLabels(ctx, st, into); err != nil {
			return err
		}
		l, err = labels.One(ctx, db.ByID(into.ID)) // again, for its subscribers
		return err
	})
	return l, err
}

// normalized returns edit followed by what every stored label has: a color in digits and a name
// without blanks around it.
func normalized(edit func(*Label) error) func(*Label) error {
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

// checkLabel returns an error if a field of a label is invalid. Names cannot hold a comma because
// lists of labels are separated by commas.
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

// checkLabelName returns an error if another label has the new name of a label.
func checkLabelName(ctx context.Context, st *db.Store, l Label) error {
	same, err := findSameName(ctx, st, l)
	switch {
	case err != nil || same == nil:
		return err
	case same.Own:
		return fault.Invalid("title", "has already been taken")
	case l.ProjectID != nil:
		return fault.Invalid("title", "already exists at group level for "+same.Group+". Please choose another one.")
	}
	return nil // a group may reuse the name of a label of a group above
}
