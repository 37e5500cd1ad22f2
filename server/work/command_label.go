package work

import (
	"context"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/quick"
)

// maxNamed is how many labels or users a command can name.
const maxNamed = 100

// named returns the first of the names, at most maxNamed.
func named(names []string) []string { return names[:min(len(names), maxNamed)] }

// findLabels returns the ids of the labels of a project or group that an argument names, and how
// they are shown.
func findLabels(
	ctx context.Context, st *db.Store, in db.Container, argument string,
) (ids []int64, shown string, err error) {
	names := named(quick.Labels(argument))
	byName, err := labelsNamed(ctx, st, in, names)
	var marked []string
	for _, name := range names {
		if id, ok := byName[name]; ok && !slices.Contains(ids, id) {
			ids, marked = append(ids, id), append(marked, "~"+quick.Quote(name))
		}
	}
	shown = strings.Join(marked, " ") + " label"
	if len(ids) > 1 {
		shown += "s"
	}
	return ids, shown, err
}

// withIDs returns ids with others added that are not among them.
func withIDs(ids, added []int64) []int64 { return append(slices.Clone(ids), Without(added, ids)...) }

func addLabels[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	labels := partsOf(t).LabelIDs
	ids, shown, err := findLabels(ctx, st, (*t).Target().Container, argument)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	*labels = withIDs(*labels, ids)
	r.Changes("add_label_ids", ids)
	return "Added " + shown + ".", nil
}

func removeLabels[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	labels := partsOf(t).LabelIDs
	if len(*labels) == 0 {
		return "", nil
	}
	if argument == "" {
		*labels = nil
		r.Changes("label_ids", []int64{})
		return "Removed all labels.", nil
	}
	ids, shown, err := findLabels(ctx, st, (*t).Target().Container, argument)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	*labels = Without(*labels, ids)
	r.Changes("remove_label_ids", ids)
	return "Removed " + shown + ".", nil
}

func replaceLabels[T Commanded](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	labels := partsOf(t).LabelIDs
	ids, shown, err := findLabels(ctx, st, (*t).Target().Container, argument)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	*labels = ids
	r.Changes("label_ids", ids)
	return "Replaced all labels with " + shown + ".", nil
}
