package client

import (
	"fmt"
	"sync"
	"time"
)

// silentAfter is how long a host may answer nothing before people are told.
const silentAfter = 10 * time.Second

// Silence says that the host has answered nothing for some time although it was asked.
type Silence struct {
	Host       string // its URL
	For        time.Duration
	Try, Tries int // of the request that was sent last; 1 is the first try
}

// String reads "Waiting for https://git.example.com: no response for 10s (attempt 1 of 5)".
func (s Silence) String() string {
	return fmt.Sprintf("Waiting for %s: no response for %s (attempt %d of %d)", s.Host, s.For, s.Try, s.Tries)
}

// silence notices when tries are in flight and none is answered. A timer runs from the last try
// that was sent or the last part of an answer; it fires once.
type silence struct {
	notify func(Silence) // nil if nobody listens

	mu       sync.Mutex
	inFlight int
	last     Silence
	timer    *time.Timer
}

// sent counts a try in and starts the timer.
func (s *silence) sent(host string, try, tries int) {
	if s.notify == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight++
	s.last = Silence{host, silentAfter, try, tries}
	s.restart()
}

// received restarts the timer: the host has sent a part of an answer.
func (s *silence) received() {
	if s.notify == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restart()
}

// ended counts a try out, whose answer was read or which has failed.
func (s *silence) ended() {
	if s.notify == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight--
	if s.inFlight == 0 {
		s.restart()
	}
}

func (s *silence) restart() {
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.inFlight > 0 {
		last := s.last
		s.timer = time.AfterFunc(silentAfter, func() { s.notify(last) })
	}
}
