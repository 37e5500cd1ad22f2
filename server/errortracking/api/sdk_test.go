package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/getsentry/sentry-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/errortracking"
	"hew/server/servertest"
)

// shop is a project that collects errors.
type shop struct {
	*servertest.Server
	id   int64
	path string // of its errors
	dsn  string
	key  string
}

func newShop(t *testing.T) shop {
	s := shop{Server: servertest.Fresh(t)}
	var p servertest.Made
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "shop"}).Into(t, &p)
	s.id, s.path = p.ID, fmt.Sprintf("/projects/%d/error_tracking/", p.ID)
	require.Equal(t, 200, s.Do(t, s.RootToken, "PUT", s.path+"settings",
		map[string]any{"active": true, "integrated": true}).Status)
	var key struct {
		DSN string `json:"sentry_dsn"`
		Key string `json:"public_key"`
	}
	s.Do(t, s.RootToken, "POST", s.path+"client_keys", nil).Into(t, &key)
	s.dsn, s.key = key.DSN, key.Key
	return s
}

// errors returns the errors of the project in an order.
func (s shop) errors(t *testing.T, sort string) (list []errortracking.Error) {
	s.Do(t, s.RootToken, "GET", s.path+"errors?sort="+sort, nil).Into(t, &list)
	return list
}

// hub returns a client of the SDK as a program has it.
func (s shop) hub(t *testing.T) *sentry.Hub {
	client, err := sentry.NewClient(sentry.ClientOptions{
		Dsn: s.dsn, Release: "1.0", Environment: "production", AttachStacktrace: true, EnableTracing: true,
		TracesSampleRate: 1,
	})
	require.NoError(t, err)
	return sentry.NewHub(client, sentry.NewScope())
}

type paymentError struct{ order int }

func (e paymentError) Error() string { return fmt.Sprintf("order %d cannot be paid", e.order) }

// pay and ship are two places where errors occur.
func pay(hub *sentry.Hub, order int)  { hub.CaptureException(paymentError{order}) }
func ship(hub *sentry.Hub, order int) { hub.CaptureException(paymentError{order}) }

// The SDK of Go sends to the address that it is given, and the errors are listed: one for each
// place, message and fingerprint.
func TestSDK(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	hub := s.hub(t)
	for order := range 3 {
		hub.ConfigureScope(func(scope *sentry.Scope) { scope.SetUser(sentry.User{ID: fmt.Sprint(order % 2)}) })
		pay(hub, order)
	}
	ship(hub, 7)
	hub.CaptureMessage("out of stock")
	hub.WithScope(func(scope *sentry.Scope) {
		scope.SetFingerprint([]string{"{{ default }}", "extra"})
		scope.AddAttachment(&sentry.Attachment{Filename: "a.txt", Payload: []byte("line\nline\n")})
		hub.CaptureMessage("out of stock")
	})
	func() {
		defer func() { hub.Recover(recover()) }()
		panic("no")
	}()
	span := sentry.StartTransaction(sentry.SetHubOnContext(t.Context(), hub), "checkout") // no event
	span.Finish()
	require.True(t, hub.Flush(10*time.Second))

	list := s.errors(t, "frequency")
	require.Len(t, list, 5)
	require.EqualValues(t, 3, list[0].EventCount)
	require.Equal(t, 2, list[0].UserCount)
	require.Equal(t, "api_test.paymentError", list[0].Name)
	require.Equal(t, "order 2 cannot be paid", list[0].Description, "that of the latest event")
	require.Contains(t, list[0].Actor, "pay")
	require.Equal(t, []string{"go", "error", "production", "1.0", errortracking.Unresolved},
		[]string{list[0].Platform, list[0].Level, *list[0].Environment, *list[0].Release, list[0].Status})

	var events []errortracking.Event
	s.Do(t, s.RootToken, "GET", s.path+"errors/"+list[0].Fingerprint+"/events", nil).Into(t, &events)
	require.Len(t, events, 3)
	require.Contains(t, string(events[0].Payload), "order 2 cannot be paid")
	require.Contains(t, string(events[0].Payload), `"in_app"`)
}

// A wrong key is refused, which the SDK tells nobody about; nothing is stored.
func TestSDKWithWrongKey(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	hub := s.hub(t)
	require.NoError(t, s.Store.Exec(t.Context(), `update error_tracking_keys set active = false`, nil))
	hub.CaptureException(errors.New("lost"))
	require.True(t, hub.Flush(10*time.Second))
	require.Empty(t, s.errors(t, "last_seen"))
}

// Many programs that meet a new error at once give one error, with an exact count.
func TestOneErrorAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const programs, events = 8, 10
	var all sync.WaitGroup
	for program := range programs {
		all.Go(func() {
			for n := range events {
				r := s.post(t, "store/", nil, fmt.Sprintf(`{"message":"x","user":{"id":%d},"event_id":"%032x"}`,
					n%5, program*events+n/2*2)) // each twice
				assert.Equal(t, http.StatusOK, r.Status, string(r.Body))
			}
		})
	}
	all.Wait()
	list := s.errors(t, "first_seen")
	require.Len(t, list, 1)
	require.EqualValues(t, programs*events/2, list[0].EventCount)
	require.LessOrEqual(t, list[0].UserCount, 5)
	require.GreaterOrEqual(t, list[0].UserCount, 3)
	var kept int
	r := s.Do(t, s.RootToken, "GET", s.path+"errors/"+list[0].Fingerprint+"/events", nil)
	_, err := fmt.Sscan(r.Header.Get("X-Total"), &kept)
	require.NoError(t, err)
	require.Equal(t, programs*events/2, kept)
}
