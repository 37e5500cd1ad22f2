package event

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Happening is something that happened.
type Happening struct {
	Flag   string // what kind of event it is
	At     Audience
	User   int64  // who did it, for the kinds that tell of him
	Branch string // on which it happened; empty: on none
}

type chainKey struct{}

// ChainHeader is what a delivery names its chain by, and what a receiver hands on with what it asks for in turn.
const ChainHeader = "X-Gitlab-Event-UUID"

var UuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// InChain makes what happens within the context a consequence of a delivery. Anything but a uuid is none.
func InChain(ctx context.Context, uuid string) context.Context {
	if uuid = strings.ToLower(uuid); !UuidForm.MatchString(uuid) {
		return ctx
	}
	return context.WithValue(ctx, chainKey{}, uuid)
}

func ChainOf(ctx context.Context) string {
	uuid, _ := ctx.Value(chainKey{}).(string)
	return uuid
}

// NewUUID is a random one (version 4).
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, see its documentation
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Encode is JSON as it is sent: < and & as they are.
func Encode(v any) (json.RawMessage, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return json.RawMessage(strings.TrimSuffix(text.String(), "\n")), err
}

// Audience is whose hooks are told of something that happens.
type Audience struct {
	Group   int64  // and those above it
	Project *int64 // nil: it happens in none
	Chain   string // the chain of deliveries that it comes from; empty: it begins one
}
