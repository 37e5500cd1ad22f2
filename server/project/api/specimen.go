package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/group"
	"hew/server/part"
	"hew/server/people"
	"hew/server/project"
	"hew/server/tree"
)

// specimen stores n projects in a group, each with an attribute and a share, or n members and n
// invited groups of a project. Outside of both it stores n topics, and n personal projects of the
// owner, with a star of the owner each.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	s := &specimenOf{Store: h, at: at, values: part.Values{}}
	add := s.addTopic
	switch {
	case at.NamespaceID != nil:
		add = s.addProject
	case at.ProjectID != nil:
		add = s.addParties
	}
	for i := range n {
		if err := add(ctx, i); err != nil {
			return nil, err
		}
	}
	return s.values, s.addAvatars(ctx)
}

// addAvatars gives the group or project an avatar, or the owner and the last topic.
func (s specimenOf) addAvatars(ctx context.Context) error {
	picture, err := tree.NewPicture(ctx, s.Store, "a.png", []byte("\x89PNG\r\n\x1a\n"))
	if err != nil {
		return err
	}
	pictured := []tree.Pictured{tree.PicturedBy(s.at.Container)}
	if s.at.ID() == 0 {
		s.values["users/id"] = fmt.Sprint(s.at.Owner.ID)
		pictured = []tree.Pictured{tree.NewPictured(tree.PicturedUser, s.at.Owner.ID), s.topic}
	}
	for _, of := range pictured {
		if _, err := tree.SetAvatar(ctx, s.Store, of, picture); err != nil {
			return err
		}
	}
	return nil
}

// specimenOf is a specimen that is being stored.
type specimenOf struct {
	*db.Store
	at     part.Place
	values part.Values
	topic  tree.Pictured // the last one
}

// addTopic adds a topic, and a project in the owner's namespace that the owner has starred.
func (s *specimenOf) addTopic(ctx context.Context, i int) error {
	name := fmt.Sprintf("topic-%d-of-%s", i, s.at.Group.Path)
	topic, err := project.CreateTopic(ctx, s.Store, project.Topic{Name: name, Title: name})
	if err != nil {
		return err
	}
	s.values["topics/id"], s.topic = fmt.Sprint(topic.ID), tree.NewPictured(tree.PicturedTopic, topic.ID)
	p, err := s.insertProject(ctx, fmt.Sprintf("mine-%d-of-%s", i, s.at.Group.Path), s.at.Owner.NamespaceID)
	if err != nil {
		return err
	}
	_, err = project.Star(ctx, s.Store, p.ID, s.at.Owner.ID)
	return err
}

// addProject adds a project of the group, shared with the guests, and one of another group that is
// shared with this group.
func (s specimenOf) addProject(ctx context.Context, i int) error {
	p, err := s.insertProject(ctx, fmt.Sprint("project-", i), s.at.Group.ID)
	if err != nil {
		return err
	}
	if err := s.share(ctx, p, s.at.Guests); err != nil {
		return err
	}
	theirs, err := s.insertProject(ctx, fmt.Sprintf("theirs-%d-of-%s", i, s.at.Group.Path), s.at.Guests.ID)
	if err != nil {
		return err
	}
	return s.share(ctx, theirs, s.at.Group)
}

// addParties adds a member of the project and a group that is invited into it, which the owner
// owns.
func (s specimenOf) addParties(ctx context.Context, i int) error {
	name := fmt.Sprintf("party-%d-of-project-%d", i, s.at.ID())
	u, err := tree.CreateUser(ctx, s.Store, tree.NewUser(name, name, name+"@example.com"))
	if err != nil {
		return err
	}
	if _, err := group.AddMember(ctx, s.Store, group.NewMember(s.at.Source(), u.ID, 30)); err != nil {
		return err
	}
	if err := s.addFork(ctx, i); err != nil {
		return err
	}
	g := tree.NewGroup(name, name+"-group", nil)
	g.Visibility = s.at.Project.Visibility
	if g, err = group.InsertGroup(ctx, s.Store, g, s.at.Owner.ID); err != nil {
		return err
	}
	return s.share(ctx, s.at.Project, g)
}

// addFork adds a fork of the project, as visible as it. Another project can become one.
func (s specimenOf) addFork(ctx context.Context, i int) error {
	s.values["forked_from_id"] = fmt.Sprint(s.at.Second.ID)
	p := tree.NewProject(fmt.Sprint("fork-", i), fmt.Sprint("fork-", i), s.at.Group.ID)
	p.Visibility, p.ForkedFromID = s.at.Project.Visibility, &s.at.Project.ID
	_, err := project.InsertProject(ctx, s.Store, p, 0)
	return err
}

// insertProject adds a project with an attribute, as visible as the specimen's place.
func (s specimenOf) insertProject(ctx context.Context, path string, namespaceID int64) (tree.Project, error) {
	p := tree.NewProject(path, path, namespaceID)
	p.Visibility = s.at.Group.Visibility
	p, err := project.InsertProject(ctx, s.Store, p, 0)
	if err != nil {
		return p, err
	}
	return p, people.ChangeCustomAttributes(ctx, s.Store, p.Bearer(), func(attributes map[string]string) error {
		attributes["key"] = "value"
		return nil
	})
}

func (s specimenOf) share(ctx context.Context, p tree.Project, with tree.Group) error {
	_, err := group.InsertShare(ctx, s.Store, group.NewShare(tree.InProject(p), with, 30))
	return err
}
