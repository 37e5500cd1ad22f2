package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

// Command is one run of git.
type Command struct {
	Dir     string        // working directory: the repository
	Args    []string      // the command and its arguments, without "git"
	Env     []string      // further variables, as name=value
	Stdin   io.Reader     // nil is empty; git may end without having read all of it
	Stdout  io.Writer     // nil discards
	Stderr  io.Writer     // also receives messages, such as progress, as they are written; nil for none
	Heavy   bool          // takes much time or memory: waits until few enough of these run
	Timeout time.Duration // from the start of the process; zero is the context's alone
}

// name returns git's command, which stands after settings.
func (c Command) name() string {
	args := c.Args
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

// defaultGrace is how long Run waits for pipes after the process ended: for grandchildren that hold
// them, and for a Stdin that does not end.
const defaultGrace = 5 * time.Second

// maxMessage is how many bytes of the end of standard error go into an Error.
const maxMessage = 4 << 10

// Error reports that git failed.
type Error struct {
	Command string // git's command, such as "merge-tree"
	Code    int    // exit status; -1 if a signal ended the process
	Message string // the end of what git wrote to standard error, without the last line feed
	Err     error  // why the process was ended or could not be started; nil if it ended by itself
}

// Error returns the command, why it failed and what it said.
func (e *Error) Error() string {
	text := fmt.Sprintf("git %s: exit status %d", e.Command, e.Code)
	if e.Err != nil {
		text = fmt.Sprintf("git %s: %v", e.Command, e.Err)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap returns why the process was ended: context.Canceled, context.DeadlineExceeded, or why it
// did not start.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit status in err: 0 if it is nil, -1 if git did not end by itself. Some
// commands, such as merge-tree, use 1 for an answer.
func ExitCode(err error) int {
	var e *Error
	switch {
	case err == nil:
		return 0
	case errors.As(err, &e) && e.Err == nil:
		return e.Code
	}
	return -1
}

// Crashed reports whether git ended itself by a signal, as it does where it finds that its own data
// make no sense.
func Crashed(err error) bool {
	var e *Error
	var exit *exec.ExitError
	return errors.As(err, &e) && errors.As(e.Err, &exit)
}

// Run runs git until it ends, or kills it when the context ends or the timeout has passed. All
// errors but those of waiting for a turn and of a command without arguments are of type *Error.
//
// Nothing reads Stdin any more when Run returns, so that the caller can read the rest of it. The
// one exception is a read that was waiting when the context ended or the timeout had passed.
func (g *Git) Run(ctx context.Context, c Command) error {
	if len(c.Args) == 0 {
		return errors.New("run git: no command was given")
	}
	if c.Heavy {
		select {
		case g.heavy <- struct{}{}:
			defer func() { <-g.heavy }()
		case <-ctx.Done():
			return fmt.Errorf("wait to run git %s: %w", c.name(), ctx.Err())
		}
	}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	message := &tailWriter{also: c.Stderr}
	cmd := exec.CommandContext(ctx, g.path, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = slices.Concat(g.env, c.Env)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = interruptible(ctx, c.Stdin), c.Stdout, message
	cmd.WaitDelay = g.grace
	killGroupOnCancel(cmd)
	err := cmd.Run()
	if err == nil {
		return nil
	}
	failed := &Error{Command: c.name(), Code: -1, Message: message.String()}
	if cmd.ProcessState != nil {
		failed.Code = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		failed.Err = ctx.Err()
	case !errors.As(err, &exit):
		failed.Err = err
	case failed.Code < 0:
		failed.Err = exit
	}
	return failed
}

// Output runs git and returns what it prints. It fails if that is more than limit bytes.
func (g *Git) Output(ctx context.Context, c Command, limit int) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &boundedWriter{limit: limit, exceeded: cancel}
	c.Stdout = out
	err := g.Run(ctx, c)
	if out.over {
		return nil, fmt.Errorf("git %s prints more than %d bytes", c.name(), limit)
	}
	return out.data, err
}
