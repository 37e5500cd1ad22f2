package forge

import (
	"context"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// CreateTopic makes a topic.
func CreateTopic(ctx context.Context, st *store.Store, t store.Topic) (store.Topic, error) {
	if err := checkTopic(t); err != nil {
		return t, err
	}
	return st.CreateTopic(ctx, t)
}

// ChangeTopic lets change edit a topic, and stores the outcome. The projects that have it call it by its new name.
func ChangeTopic(ctx context.Context, st *store.Store, id int64, change func(*store.Topic) error) (store.Topic, error) {
	return st.ChangeTopic(ctx, id, checked(change, checkTopic))
}

// MergeTopics gives the projects of one topic another one in its place, and removes it.
func MergeTopics(ctx context.Context, st *store.Store, from, into int64) (store.Topic, error) {
	source, err := st.Topic(ctx, from)
	if err != nil {
		return source, err
	}
	target, err := st.Topic(ctx, into)
	switch {
	case err != nil:
		return target, err
	case source.ID == target.ID:
		return target, fault.BadRequest("The source topic and the target topic are identical.").In(fault.Text)
	}
	return st.MergeTopics(ctx, source, target)
}

// checkTopic says what is wrong with a topic, if anything.
func checkTopic(t store.Topic) error {
	var wrong problems
	for field, text := range map[string]string{"name": t.Name, "title": t.Title} {
		if strings.TrimSpace(text) == "" {
			wrong.on(field, blank)
		}
		wrong.fits(field, text, 255)
	}
	if strings.ContainsAny(t.Name, "\r\n") {
		wrong.on("name", "has characters that are not allowed")
	}
	if t.Description != nil {
		wrong.fits("description", *t.Description, 1024)
	}
	return wrong.err()
}
