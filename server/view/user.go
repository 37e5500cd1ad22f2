package view

import (
	"hew/server/tree"
)

// BasicUser holds the fields of a user that other objects show.
type BasicUser struct {
	ID        int64   `json:"id"`
	Username  string  `json:"username"`
	Name      string  `json:"name"`
	State     string  `json:"state"`
	Locked    bool    `json:"locked"`
	AvatarURL *string `json:"avatar_url"`
	WebURL    string  `json:"web_url"`
}

func (a *Site) BasicUser(p tree.Person) BasicUser {
	return BasicUser{
		ID: p.ID, Username: p.Username, Name: p.Name, State: p.State, AvatarURL: a.Picture(p.Avatar),
		WebURL: a.Web(p.Username),
	}
}

// Author returns the view of the user who made something, nil if the user is unknown or deleted.
func (a *Site) Author(p *tree.Person) *BasicUser {
	if p == nil {
		return nil
	}
	v := a.BasicUser(*p)
	return &v
}
