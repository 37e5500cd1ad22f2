package tree

// Person is a user as far as he is told about wherever he is mentioned.
type Person struct {
	ID       int64   `json:"id"`
	Username string  `json:"username"`
	Name     string  `json:"name"`
	State    string  `json:"state"`
	Avatar   *string `json:"avatar"`
}

// Person is what is told about the user wherever he is mentioned.
func (u User) Person() Person {
	return Person{ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, Avatar: u.Avatar}
}

// PersonColumn reads the user with an id as a *Person: null where there is none, or no longer. Most
// things that may have one have none, which costs nothing.
func PersonColumn(id string) string {
	return `case when ` + id + ` is not null then (
	    select jsonb_build_object('id', a.id, 'username', a.username, 'name', a.name, 'state', a.state, 'avatar',
	      a.avatar)
	    from users a where a.id = ` + id + `) end`
}
