package servertest

import (
	"fmt"
	"testing"

	"hew/server/tree"
)

// Crowd creates n users named prefix0000, prefix0001, … in the store, without passwords or
// tokens: hashing a thousand passwords would take a minute.
func (s *Server) Crowd(t testing.TB, prefix string, n int) {
	t.Helper()
	for i := range n {
		name := fmt.Sprintf("%s%04d", prefix, i)
		if _, err := tree.CreateUser(t.Context(), s.Store, tree.NewUser(name, name, name+"@example.com")); err != nil {
			t.Fatal(err)
		}
	}
}
