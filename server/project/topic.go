package project

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// Topic is a word that projects are found by. Projects store the names of their topics.
type Topic struct {
	ID            int64     `db:"id,auto" json:"id"`
	Name          string    `db:"name" json:"name"`
	Title         string    `db:"title" json:"title"`
	Description   *string   `db:"description" json:"description"`
	TotalProjects int       `db:"total_projects_count,auto" json:"total_projects_count"` // a trigger counts them
	Public        int       `db:"public_projects_count,auto" json:"-"`                   // of them, public ones
	Listed        bool      `db:"listed" json:"-"`                                       // by an administrator
	Avatar        *string   `db:"avatar,auto" json:"-"`
	CreatedAt     time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt     time.Time `db:"updated_at,auto" json:"-"`
}

// Hidden reports whether the topic is shown to administrators only: private projects alone have
// named it.
func (t Topic) Hidden() bool { return !t.Listed && t.Public == 0 }

const selectTopics = `select t.* from topics t`

// TopicFilter narrows a list of topics. Zero fields narrow nothing.
type TopicFilter struct {
	Search          string // in name and title
	WithoutProjects bool
	PublicProjects  bool // no other projects count, nor decide the order; without hidden topics
}

// Topics lists topics, those with most projects first.
func Topics(ctx context.Context, s *db.Store, f TopicFilter, p db.Page) ([]Topic, int, error) {
	projects := `t.total_projects_count`
	if f.PublicProjects {
		projects = `t.public_projects_count`
	}
	w := db.NewWhere(nil)
	w.AndIf(f.Search != "", `t.name ilike @like or t.title ilike @like`, tree.Infix(f.Search))
	w.AndIf(f.PublicProjects, `t.listed or t.public_projects_count > 0`)
	w.AndIf(f.WithoutProjects, projects+` = 0`)
	p.Order, p.Desc = "projects", true
	return db.List[Topic](ctx, s, p, db.Order{"projects": projects}, "t.id", selectTopics, w)
}

// FindTopic returns the topic with that id, or a not-found fault.
func FindTopic(ctx context.Context, s *db.Store, id int64) (Topic, error) {
	return db.One[Topic](ctx, s, "Topic", selectTopics+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// InsertTopic stores a topic and returns the row.
func InsertTopic(ctx context.Context, s *db.Store, t Topic) (Topic, error) {
	id, err := s.Insert(ctx, "topics", t)
	if err != nil {
		return t, err
	}
	return FindTopic(ctx, s, id)
}

// updateTopic locks a topic, applies edit, and stores the outcome. It renames the topic in its
// projects.
func updateTopic(ctx context.Context, s *db.Store, id int64, edit db.Edit[Topic]) (t Topic, err error) {
	err = s.Tx(ctx, func(s *db.Store) error {
		t, err = holdTopic(ctx, s, id)
		if err != nil {
			return err
		}
		was := t.Name
		if err := edit(s, &t); err != nil {
			return err
		}
		if err := s.Update(ctx, "topics", t); err != nil {
			return err
		}
		if t.Name != was {
			if err := replaceTopic(ctx, s, was, t.Name); err != nil {
				return err
			}
			// The trigger has counted the renamed projects again.
			if err := s.Exec(ctx, `
				update topics set (total_projects_count, public_projects_count) = row(@total, @public) where id = @id`,
				pgx.NamedArgs{"id": id, "total": t.TotalProjects, "public": t.Public}); err != nil {
				return err
			}
		}
		t, err = FindTopic(ctx, s, id)
		return err
	})
	return t, err
}

// DeleteTopic removes a topic, also from its projects.
func DeleteTopic(ctx context.Context, s *db.Store, id int64) error {
	return s.Tx(ctx, func(s *db.Store) error {
		t, err := holdTopic(ctx, s, id)
		if err != nil {
			return err
		}
		if err := s.Exec(ctx, `update projects set topics = array_remove(topics, @name) where topics @> array[@name]`,
			pgx.NamedArgs{"name": t.Name}); err != nil {
			return err
		}
		return s.Exec(ctx, `delete from topics where id = @id`, pgx.NamedArgs{"id": id})
	})
}

// mergeStoredTopics replaces a topic by another one in its projects, and removes it.
func mergeStoredTopics(ctx context.Context, s *db.Store, from, into Topic) (t Topic, err error) {
	err = s.Tx(ctx, func(s *db.Store) error {
		if err := replaceTopic(ctx, s, from.Name, into.Name); err != nil {
			return err
		}
		if err := DeleteTopic(ctx, s, from.ID); err != nil {
			return err
		}
		t, err = FindTopic(ctx, s, into.ID)
		return err
	})
	return t, err
}

func holdTopic(ctx context.Context, s *db.Store, id int64) (Topic, error) {
	return db.One[Topic](ctx, s, "Topic", selectTopics+` where t.id = @id for update`, pgx.NamedArgs{"id": id})
}

// replaceTopic replaces a topic by another one in projects, without duplicates.
func replaceTopic(ctx context.Context, s *db.Store, from, into string) error {
	return s.Exec(ctx, `
		update projects set topics = case when topics @> array[@into]
		    then array_remove(topics, @from) else array_replace(topics, @from, @into) end
		where topics @> array[@from]`, pgx.NamedArgs{"from": from, "into": into})
}

// nameTopics returns the names as topics have them, which may differ in case, and creates the
// topics that do not exist.
func nameTopics(ctx context.Context, s *db.Store, names []string) ([]string, error) {
	if len(names) == 0 {
		return names, nil
	}
	return db.Value[[]string](ctx, s, `
		with wanted as (select w.name, w.n from unnest(@names::text[]) with ordinality as w (name, n)),
		     made as (insert into topics (name, title) select name, name from wanted order by lower(name)
		              on conflict (lower(name)) do nothing)
		select array_agg(coalesce(t.name, w.name) order by w.n)
		from wanted w left join topics t on lower(t.name) = lower(w.name)`, pgx.NamedArgs{"names": names})
}

// CreateTopic creates a topic, which is listed.
func CreateTopic(ctx context.Context, st *db.Store, t Topic) (Topic, error) {
	t.Listed = true
	if err := checkTopic(t); err != nil {
		return t, err
	}
	return InsertTopic(ctx, st, t)
}

// ChangeTopic applies change to a topic, which is listed from then on, and stores the outcome. It
// renames the topic in its projects.
func ChangeTopic(ctx context.Context, st *db.Store, id int64, change func(*Topic) error) (Topic, error) {
	return updateTopic(ctx, st, id, db.Checked(func(t *Topic) error {
		t.Listed = true
		return change(t)
	}, checkTopic))
}

// MergeTopics replaces the topic from by into in its projects, and removes it.
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

// checkTopic returns a fault about all invalid fields of a topic.
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
