package hook

import (
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"strings"
)

// ChainHeader is the header of a delivery with the UUID of its chain. A receiver that calls the API
// because of a delivery repeats the header, so that the deliveries of that call belong to the same
// chain.
const ChainHeader = "X-Gitlab-Event-UUID"

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

type chainKey struct{}

// InChain returns a context whose events belong to the chain with this UUID. It returns ctx itself
// for anything but a UUID.
func InChain(ctx context.Context, uuid string) context.Context {
	if uuid = strings.ToLower(uuid); !uuidForm.MatchString(uuid) {
		return ctx
	}
	return context.WithValue(ctx, chainKey{}, uuid)
}

// chainOf returns the chain of a context of InChain, or an empty text.
func chainOf(ctx context.Context) string {
	uuid, _ := ctx.Value(chainKey{}).(string)
	return uuid
}

// NewUUID returns a random UUID (version 4).
func NewUUID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, see its documentation
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
