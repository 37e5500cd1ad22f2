package send

import (
	"context"
	"fmt"
	"strings"
)

// emailsOnPush mails what was pushed.
func emailsOnPush(ctx context.Context, e Event, s Settings, call Call) error {
	m, _ := messageOf(e)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", m.summary.plain())
	for _, c := range e.Commits {
		fmt.Fprintf(&b, "\nCommit: %s\n%s\nAuthor: %s\n\n%s\n", c.ID, c.URL, c.Author.Name, cut(c.Message, maxDetail))
		if !s.is("disable_diffs") {
			for _, files := range []struct {
				sign  string
				paths []string
			}{{"+", c.Added}, {"M", c.Modified}, {"-", c.Removed}} {
				for _, path := range files.paths {
					fmt.Fprintf(&b, "%s %s\n", files.sign, path)
				}
			}
		}
	}
	subject := fmt.Sprintf("[Git][%s] Pushed to %s", e.Project.Path, e.refName())
	if n := len(e.Commits); n > 0 {
		subject = fmt.Sprintf("[Git][%s][%s] %s", e.Project.Path, e.refName(), e.Commits[n-1].Title)
	}
	return once(ctx, call, Request{Mail: &Mail{
		To: s.list("recipients"), Subject: subject, Title: m.summary.plain(), URL: m.url, Author: e.person().Name,
		Text: b.String(), Key: "push/" + e.Project.Path + "/" + e.refName(),
	}})
}

// pipelinesEmail mails that a pipeline ended.
func pipelinesEmail(ctx context.Context, e Event, s Settings, call Call) error {
	m, ok := messageOf(e)
	if !ok {
		return nil
	}
	state, _ := pipelineStateOf(e.Object)
	return once(ctx, call, Request{Mail: &Mail{
		To: s.list("recipients"), Title: m.summary.plain(), URL: m.url, Author: e.person().Name,
		Subject: fmt.Sprintf("%s | Pipeline for %s %s", e.Project.Path, e.Object.Ref, state.text),
		Text:    m.summary.plain() + "\n" + m.detail.plain(), Key: "pipeline/" + id(e.Object.ID),
	}})
}
