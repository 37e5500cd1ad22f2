package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/term"

	"hew/cmd/hew/view"
	"hew/reconcile/config"
	"hew/reconcile/report"
)

// loadAsking is load for runs that need a value for every variable: a person at
// the terminal is asked for those that have none.
func (a *app) loadAsking(ctx context.Context, s settings) (*config.Config, report.Diagnostics) {
	cfg, found := a.read(s, a.answers...)
	if cfg == nil || len(cfg.Unset()) == 0 || !a.asks(s) {
		return a.checked(cfg, found)
	}
	if s.quiet != nil {
		s.quiet()
	}
	answers, err := a.ask(ctx, cfg.Unset())
	if err != nil {
		return nil, report.Diagnostics{Diagnostics: hcl.Diagnostics{problem("Variable without a value", "%s.", err)}}
	}
	a.answers = append(a.answers, answers...)
	return a.checked(a.read(s, a.answers...))
}

// asks tells whether there is a person to ask, who may be.
func (a *app) asks(s settings) bool { return s.input && a.tty(a.in) && a.tty(a.err) }

// ask gets the values of variables from the person at the terminal, each in
// the form that -var has.
func (a *app) ask(ctx context.Context, unset []config.Variable) ([]config.Var, error) {
	c := a.console(a.err)
	var answers []config.Var
	for _, v := range unset {
		c.Printf("%s has no value.\n", c.Paint.In(view.Bold, "var."+v.Name))
		c.Paragraph(2, v.Doc)
		read, hidden := a.line, ""
		if v.Sensitive {
			read, hidden = a.secretLine, " (not shown)"
		}
		c.Printf("  Enter one%s: ", hidden)
		value, err := a.awaited(ctx, read)
		if v.Sensitive || err != nil {
			c.Printf("\n") // the one that ends the line was not shown either
		}
		if errors.Is(err, io.EOF) {
			err = errors.New("the input ended")
		}
		if err != nil {
			return nil, fmt.Errorf("var.%s was not given a value: %w. Nothing was changed", v.Name, err)
		}
		answers = append(answers, config.Var{Name: v.Name, Value: value, Asked: true})
	}
	return answers, nil
}

// line reads a line of standard input, without its end. All that read lines
// share a buffer: of what is piped it may hold more.
func (a *app) line() (string, error) {
	if a.lines == nil {
		a.lines = bufio.NewReader(a.in)
	}
	line, err := a.lines.ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil // the next call finds the end
	}
	return strings.TrimRight(line, "\r\n"), err
}

// secretLine is line, and what is typed does not appear.
func (a *app) secretLine() (string, error) {
	f, ok := a.in.(*os.File)
	if !ok {
		return a.line()
	}
	text, err := term.ReadPassword(int(f.Fd()))
	return string(text), err
}

// awaited is the answer of a person, or the end of ctx: an interrupt does not
// wait for Return. What reading did to the terminal is undone then.
func (a *app) awaited(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	restore := restorer(a.in)
	got := make(chan answer, 1)
	go func() {
		text, err := read()
		got <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		restore()
		return "", errors.New("interrupted")
	case given := <-got:
		return given.text, given.err
	}
}

// restorer returns what puts a terminal back into the state that it is in now.
func restorer(stream any) (restore func()) {
	f, ok := stream.(*os.File)
	if !ok {
		return func() {}
	}
	state, err := term.GetState(int(f.Fd()))
	if err != nil {
		return func() {} // no terminal
	}
	return func() { _ = term.Restore(int(f.Fd()), state) } // there is nobody to tell
}
