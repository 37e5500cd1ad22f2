package tree

// Person holds the fields of a user that other objects show, for example as their author.
type Person struct {
	ID       int64   `json:"id"`
	Username string  `json:"username"`
	Name     string  `json:"name"`
	State    string  `json:"state"`
	Avatar   *string `json:"avatar"`
}

// Person returns the fields of the user that other objects show.
func (u User) Person() Person {
	return Person{ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, Avatar: u.Avatar}
}

// PersonColumn returns the SQL of the user with an id as a *Person, null if the user does not exist.
// A null id costs no lookup.
func PersonColumn(id string) string {
	return `case when ` + id + ` is not null then (
	    select jsonb_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state, 'avatar',
	      a.avatar)
	    from users a where a.id = ` + id + `) end`
}
