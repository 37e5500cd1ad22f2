package send

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"hew/server/outbound"
)

// What a message says about each commit of a push.

// commits returns an act that calls each for the commits of a push, oldest first. A failure does
// not keep the others back.
func commits(each func(context.Context, Event, commit, Settings, Call) error) act {
	return func(ctx context.Context, e Event, s Settings, call Call) error {
		var failed []error
		for _, c := range e.Commits {
			failed = append(failed, each(ctx, e, c, s, call))
		}
		return errors.Join(failed...)
	}
}

func id(n int64) string { return strconv.FormatInt(n, 10) }

// escapePath escapes the segments of a path.
func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// asanaTask matches a task in the message of a commit, with the word that completes it.
var asanaTask = regexp.MustCompile(
	`(?i)((?:fix|clos|resolv)\w*)?\s*(?:https://app\.asana\.com/\d+/\w+/(\d{1,20})|#(\d{1,20}))`,
)

// maxTasks limits the tasks and issues of one commit.
const maxTasks = 20

// asana comments on the tasks that a commit names, and completes those that it fixes.
func asana(ctx context.Context, e Event, c commit, s Settings, call Call) error {
	comment := fmt.Sprintf("%s pushed to branch %s of %s ( %s ): %s", e.person().Name, e.Branch, e.Project.Path, c.URL,
		c.Message)
	var failed []error
	for _, m := range asanaTask.FindAllStringSubmatch(c.Message, maxTasks) {
		task := "https://app.asana.com/api/1.0/tasks/" + cmp.Or(m[2], m[3])
		token := bearer(s.text("api_key"))
		_, err := call(ctx, post(task+"/stories", object{"data": object{"text": comment}}, token...))
		if err == nil && m[1] != "" {
			done := post(task, object{"data": object{"completed": true}}, token...)
			done.Method = "PUT"
			_, err = call(ctx, done)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func pivotal(ctx context.Context, _ Event, c commit, s Settings, call Call) error {
	return once(ctx, call, post("https://www.pivotaltracker.com/services/v5/source_commits", object{
		"source_commit": object{
			"commit_id": c.ID, "author": c.Author.Name, "url": c.URL, "message": c.Message,
		},
	}, outbound.Field{Name: "X-TrackerToken", Value: s.text("token")}))
}

// assembla takes its token in the address alone.
func assembla(ctx context.Context, e Event, s Settings, call Call) error {
	address := "https://atlas.assembla.com/spaces/" + url.PathEscape(s.text("subdomain")) + "/github_tool"
	return once(ctx, call, post(withQuery(address, "secret_key", s.text("token")), object{"payload": e.Body}))
}

// campfire speaks in the room, which it looks up by its name.
func campfire(ctx context.Context, e Event, s Settings, call Call) error {
	m, _ := messageOf(e)
	base := "https://" + s.text("subdomain") + ".campfirenow.com"
	credentials := basic(s.text("token"), "X")
	look := raw(base+"/rooms.json", "application/json", nil, credentials...)
	look.Method, look.Reads, look.MaxAnswer = "GET", true, maxAnswer
	answer, err := call(ctx, look)
	if err != nil {
		return err
	}
	var known struct {
		Rooms []struct {
			ID   int64
			Name string
		}
	}
	if err := json.Unmarshal(answer.Body, &known); err != nil {
		return errors.New("the list of rooms is not valid JSON")
	}
	for _, room := range known.Rooms {
		if room.Name == s.text("room") || id(room.ID) == s.text("room") {
			return once(ctx, call, post(base+"/room/"+id(room.ID)+"/speak.json", object{
				"message": object{"type": "TextMessage", "body": lines(m.summary.plain(), m.detail.plain())},
			}, credentials...))
		}
	}
	return fmt.Errorf("there is no room %q", s.text("room"))
}

// irker writes a line for each commit, to all channels.
func irker(ctx context.Context, e Event, s Settings, call Call) error {
	var to []string
	for _, r := range s.list("recipients") {
		if !strings.Contains(r, "://") {
			r = strings.TrimRight(s.text("default_irc_uri"), "/") + "/" + r
		}
		to = append(to, r)
	}
	var body bytes.Buffer
	write := func(text string) {
		body.Write(append(encode(object{"to": to, "privmsg": text}), '\n'))
	}
	m, _ := messageOf(e)
	write(m.summary.plain())
	for _, c := range e.Commits {
		write(fmt.Sprintf("%s: %s %s %s", e.Project.Path, shortID(c.ID), c.Author.Name, cut(c.Title, maxTitle)))
	}
	var r Request
	r.TCP = net.JoinHostPort(cmp.Or(s.text("server_host"), "localhost"), cmp.Or(s.text("server_port"), "6659"))
	r.Body = body.Bytes()
	return once(ctx, call, r)
}
