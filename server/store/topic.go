package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Topic is a word that projects are found by. Projects hold the names of theirs.
type Topic struct {
	ID            int64     `db:"id,auto" json:"id"`
	Name          string    `db:"name" json:"name"`
	Title         string    `db:"title" json:"title"`
	Description   *string   `db:"description" json:"description"`
	TotalProjects int       `db:"total_projects_count,auto" json:"total_projects_count"` // Postgres counts them
	Avatar        *string   `db:"avatar,auto" json:"-"`
	CreatedAt     time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt     time.Time `db:"updated_at,auto" json:"-"`
}

const selectTopics = `select t.* from topics t`

// TopicFilter narrows the list of topics; zero fields do not.
type TopicFilter struct {
	Search          string // in name and title
	WithoutProjects bool
}

// Topics lists topics, those of most projects first.
func (s *Store) Topics(ctx context.Context, f TopicFilter, p Page) ([]Topic, int, error) {
	w := among(nil)
	w.and(f.Search != "", `t.name ilike @like or t.title ilike @like`, infix(f.Search))
	w.and(f.WithoutProjects, `t.total_projects_count = 0`)
	p.Order, p.Desc = "projects", true
	return page[Topic](ctx, s, p, order{"projects": "t.total_projects_count"}, "t.id", selectTopics, w)
}

// Topic is the topic with that id.
func (s *Store) Topic(ctx context.Context, id int64) (Topic, error) {
	return one[Topic](ctx, s, "Topic", selectTopics+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// CreateTopic stores a topic and returns the row.
func (s *Store) CreateTopic(ctx context.Context, t Topic) (Topic, error) {
	id, err := s.insert(ctx, "topics", t)
	if err != nil {
		return t, err
	}
	return s.Topic(ctx, id)
}

// ChangeTopic lets edit change a topic as it is stored, while nobody else can, and stores the outcome. The projects that have
// it call it by its new name.
func (s *Store) ChangeTopic(ctx context.Context, id int64, edit func(*Topic) error) (t Topic, err error) {
	err = s.Tx(ctx, func(s *Store) error {
		t, err = s.holdTopic(ctx, id)
		if err != nil {
			return err
		}
		was := t.Name
		if err := edit(&t); err != nil {
			return err
		}
		if err := s.update(ctx, "topics", t); err != nil {
			return err
		}
		if t.Name != was {
			if err := s.retopic(ctx, was, t.Name); err != nil {
				return err
			}
			// They were counted as others that come: the topic was called so before they were.
			if err := s.exec(ctx, `update topics set total_projects_count = @n where id = @id`,
				pgx.NamedArgs{"id": id, "n": t.TotalProjects}); err != nil {
				return err
			}
		}
		t, err = s.Topic(ctx, id)
		return err
	})
	return t, err
}

// DeleteTopic removes a topic, and takes it from the projects that have it.
func (s *Store) DeleteTopic(ctx context.Context, id int64) error {
	return s.Tx(ctx, func(s *Store) error {
		t, err := s.holdTopic(ctx, id)
		if err != nil {
			return err
		}
		if err := s.exec(ctx, `update projects set topics = array_remove(topics, @name) where topics @> array[@name]`,
			pgx.NamedArgs{"name": t.Name}); err != nil {
			return err
		}
		return s.exec(ctx, `delete from topics where id = @id`, pgx.NamedArgs{"id": id})
	})
}

// MergeTopics gives the projects of one topic another one in its place, and removes it.
func (s *Store) MergeTopics(ctx context.Context, from, into Topic) (t Topic, err error) {
	err = s.Tx(ctx, func(s *Store) error {
		if err := s.retopic(ctx, from.Name, into.Name); err != nil {
			return err
		}
		if err := s.DeleteTopic(ctx, from.ID); err != nil {
			return err
		}
		t, err = s.Topic(ctx, into.ID)
		return err
	})
	return t, err
}

func (s *Store) holdTopic(ctx context.Context, id int64) (Topic, error) {
	return one[Topic](ctx, s, "Topic", selectTopics+` where t.id = @id for update`, pgx.NamedArgs{"id": id})
}

// retopic gives projects another topic in the place of one, unless they have that too.
func (s *Store) retopic(ctx context.Context, from, into string) error {
	return s.exec(ctx, `
		update projects set topics = case when topics @> array[@into]
		    then array_remove(topics, @from) else array_replace(topics, @from, @into) end
		where topics @> array[@from]`, pgx.NamedArgs{"from": from, "into": into})
}

// nameTopics are the names of topics as they are written: a topic that is there already keeps its upper and lower case, and
// one that is not is made.
func (s *Store) nameTopics(ctx context.Context, names []string) ([]string, error) {
	if len(names) == 0 {
		return names, nil
	}
	return value[[]string](ctx, s, `
		with wanted as (select w.name, w.n from unnest(@names::text[]) with ordinality as w (name, n)),
		     made as (insert into topics (name, title) select name, name from wanted order by lower(name)
		              on conflict (lower(name)) do nothing)
		select array_agg(coalesce(t.name, w.name) order by w.n)
		from wanted w left join topics t on lower(t.name) = lower(w.name)`, pgx.NamedArgs{"names": names})
}
