package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
)

func TestError(t *testing.T) {
	t.Parallel()
	tests := map[string]*fault.Error{
		"not found: Project":                 fault.NotFound("Project"),
		"not found: Project: unexpected EOF": fault.NotFound("Project").Because(io.ErrUnexpectedEOF),
		"invalid: name is short, is odd: path bad": fault.Invalid("path", "bad").On("name", "is short").On(
			"name", "is odd",
		),
		"conflict: Member already exists": fault.Conflict("Member already exists"),
	}
	for want, e := range tests {
		require.EqualError(t, e, want)
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	wrapped := fmt.Errorf("create hook: %w", fault.Forbidden(""))
	require.Equal(t, fault.CodeForbidden, fault.CodeOf(wrapped))
	require.Equal(t, fault.CodeInternal, fault.CodeOf(io.EOF))
	require.Empty(t, fault.CodeOf(nil))

	e, ok := fault.From(wrapped)
	require.True(t, ok)
	require.Equal(t, fault.CodeForbidden, e.Code)
	_, ok = fault.From(io.EOF)
	require.False(t, ok)
}

func TestBecauseKeepsTheCause(t *testing.T) {
	t.Parallel()
	require.True(t, errors.Is(fault.Unavailable().Because(io.EOF), io.EOF))
}

func TestAsChangesOnlyTheBody(t *testing.T) {
	t.Parallel()
	e := fault.Unprocessable("Invalid url given").In(fault.Parameter)
	require.Equal(t, fault.Error{Code: fault.CodeUnprocessable, Shape: fault.Parameter, What: "Invalid url given"}, *e)
}
