package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/part"
	"hew/server/people"
	"hew/server/tree"
)

// specimen stores n custom attributes of a group or project. Outside of both it stores n users with
// n attributes each, and n tokens of the owner.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{"key": "key-0"}
	switch at.Kind() {
	case "group":
		return values, addAttributes(ctx, h, at.Group.Bearer(), n)
	case "project":
		return values, addAttributes(ctx, h, at.Project.Bearer(), n)
	}
	for i := range n {
		u, err := people.CreateUser(ctx, h, "", func(u *tree.User, _ tree.User) {
			u.Username = fmt.Sprintf("person-%d-of-%s", i, at.Group.Path)
			u.Name, u.Email = u.Username, u.Username+"@example.com"
		}, at.Owner)
		if err != nil {
			return nil, err
		}
		if err := addAttributes(ctx, h, u.Bearer(), n); err != nil {
			return nil, err
		}
		t, err := people.CreateToken(
			ctx, h, at.Owner, people.Token{Name: fmt.Sprint("token-", i), Scopes: []string{"api"}},
		)
		if err != nil {
			return nil, err
		}
		values["users/id"], values["personal_access_tokens/id"] = fmt.Sprint(u.ID), fmt.Sprint(t.ID)
	}
	return values, nil
}

func addAttributes(ctx context.Context, h *db.Store, b tree.Bearer, n int) error {
	return people.ChangeCustomAttributes(ctx, h, b, func(attributes map[string]string) error {
		for i := range n {
			attributes[fmt.Sprint("key-", i)] = "value"
		}
		return nil
	})
}
