package tree

// Person is what answers show of a user who is mentioned in them.
type Person struct {
	ID       int64   `json:"id"`
	Username string  `json:"username"`
	Name     string  `json:"name"`
	State    string  `json:"state"`
	Avatar   *string `json:"avatar"`
}

// Person returns what answers show of the user.
func (u User) Person() Person {
	return Person{ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, Avatar: u.Avatar}
}

// PersonColumn returns the expression of the user with an id as a *Person, null if there is none.
func PersonColumn(id string) string {
	return `case when ` + id + ` is not null then (
	    select jsonb_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state, 'avatar',
	      a.avatar)
	    from users a where a.id = ` + id + `) end`
}
