package project

import (
	"context"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
)

// CreateTopic makes a topic.
func CreateTopic(ctx context.Context, st *db.Store, t Topic) (Topic, error) {
	if err := checkTopic(t); err != nil {
		return t, err
	}
	return InsertTopic(ctx, st, t)
}

// ChangeTopic lets change edit a topic, and stores the outcome. The projects that have it call it by its new name.
func ChangeTopic(ctx context.Context, st *db.Store, id int64, change func(*Topic) error) (Topic, error) {
	return updateTopic(ctx, st, id, db.Checked(change, checkTopic))
}

// MergeTopics gives the projects of one topic another one in its place, and removes it.
func MergeTopics(ctx context.Context, st *db.Store, from, into int64) (Topic, error) {
	source, err := FindTopic(ctx, st, from)
	if err != nil {
		return source, err
	}
	target, err := FindTopic(ctx, st, into)
	switch {
	case err != nil:
		return target, err
	case source.ID == target.ID:
		return target, fault.BadRequest("The source topic and the target topic are identical.").In(fault.Text)
	}
	return mergeStoredTopics(ctx, st, source, target)
}

// checkTopic says what is wrong with a topic, if anything.
func checkTopic(t Topic) error {
	var wrong check.Problems
	for field, text := range map[string]string{"name": t.Name, "title": t.Title} {
		if strings.TrimSpace(text) == "" {
			wrong.On(field, check.Blank)
		}
		wrong.Fits(field, text, 255)
	}
	if strings.ContainsAny(t.Name, "\r\n") {
		wrong.On("name", "has characters that are not allowed")
	}
	if t.Description != nil {
		wrong.Fits("description", *t.Description, 1024)
	}
	return wrong.Err()
}
