package testacc

import (
	"sync"
	"testing"

	"hew/server/servertest"
)

// stage is a server with people on it, for all stories of one test. They share the people, and each
// has top-level groups of its own.
type stage struct {
	server *servertest.Server

	mu     sync.Mutex
	people map[string]servertest.Persona
}

// newStage sets up a server that ends with the test.
func newStage(t *testing.T) *stage {
	return &stage{server: servertest.Fresh(t), people: map[string]servertest.Persona{}}
}

// introduce makes sure that people are there.
func (s *stage) introduce(t *testing.T, names ...string) (list []servertest.Persona) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if _, ok := s.people[name]; !ok {
			s.people[name] = s.server.User(t, name)
		}
		list = append(list, s.people[name])
	}
	return list
}
