package forge

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"hew/server/forge/github"
	"hew/server/forge/hostapi"
)

// gitHub is the host of an import of the GitHub kind.
type gitHub struct {
	clients []*github.Client // one a token
	path    string           // of the repository below the base
}

// ask asks with the first token whose rate limit admits a request.
func (g gitHub) ask(do func(*github.Client) error) (err error) {
	var first *hostapi.LimitError
	for _, c := range g.clients {
		var limit *hostapi.LimitError
		if err = do(c); !errors.As(err, &limit) {
			return err
		}
		if first == nil || limit.Until.Before(first.Until) {
			first = limit
		}
	}
	if first == nil {
		return err
	}
	return first
}

// list is a list of the host, whose entries become documents.
type list[T any] struct {
	stage, path, query string
	of                 func(T) (document, []*github.User)
}

// readList returns the stage that reads the pages of a list. The cursor is a list page.
func readList[T any](name, path, query string, of func(T) (document, []*github.User)) stage {
	l := list[T]{name, path, query, of}
	return stage{name: name, do: func(ctx context.Context, r *run) (step, error) { return l.readPage(ctx, r, r.Cursor) }}
}

// readPage makes the step of the page of the list that a cursor names.
func (l list[T]) readPage(ctx context.Context, r *run, cursor string) (s step, err error) {
	g := r.host.(gitHub)
	var entries []T
	var next string
	at := parseListPage(cursor)
	if err := g.ask(func(c *github.Client) (err error) {
		address := at.address
		if address == "" {
			address = c.First(g.path+l.path, l.query)
		}
		entries, next, err = github.Page[T](ctx, c, address)
		return err
	}); err != nil {
		return s, err
	}
	if next != "" {
		s.follow(r, l.stage, at, next)
	}
	for _, entry := range entries {
		d, users := l.of(entry)
		s.add(d, users)
	}
	return s, nil
}

// add adds a document, unless it has no key, and who it is by.
func (s *step) add(d document, users []*github.User) {
	if d.Key == "" {
		return
	}
	s.documents = append(s.documents, d)
	for _, u := range users {
		if u != nil && u.Login != "" && u.Type != "Bot" {
			s.users = append(s.users, u.Login)
		}
	}
}

// readEach returns the stage that asks the host about each document of a kind. The cursor is the
// number of the last one.
func readEach(
	name, kind string, read func(ctx context.Context, c *github.Client, path string, d staged) (step, error),
) stage {
	return stage{name: name, do: func(ctx context.Context, r *run) (step, error) {
		g := r.host.(gitHub)
		after, _ := strconv.Atoi(r.Cursor) // "" is before the first one
		list, err := r.nextNumbered(ctx, kind, after, 1)
		if err != nil || len(list) == 0 {
			return step{}, err
		}
		d := list[0]
		var s step
		err = g.ask(func(c *github.Client) (err error) {
			s, err = read(ctx, c, g.path, d)
			return err
		})
		if err = s.tolerate(r, name, d.Number, err); err != nil {
			return step{}, err
		}
		s.stage, s.cursor = name, strconv.Itoa(d.Number)
		return s, nil
	}}
}

// tolerate notes down what the host refuses to say about one object, so that the stage goes on with
// the next one. It returns other errors.
func (s *step) tolerate(r *run, relation string, number int, err error) error {
	var refused *hostapi.StatusError
	if !errors.As(err, &refused) || refused.Status == 401 {
		return err
	}
	s.fail(r, relation, number, err)
	return nil
}

// allOf reads all pages of a list about one issue or pull request.
func allOf[T any](
	ctx context.Context, c *github.Client, path string, of func(T) (document, []*github.User),
) (s step, err error) {
	entries, err := github.All[T](ctx, c, c.First(path, ""), maxParts)
	for _, entry := range entries {
		d, users := of(entry)
		s.add(d, users)
	}
	return s, err
}

// maxParts is how many comments, reviews or events of one issue or pull request are read.
const maxParts = 20_000

func number(n int) string { return strconv.Itoa(n) }

func id(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func pathOf(path, format string, n int) string { return path + fmt.Sprintf(format, n) }
