package send

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"hew/server/outbound"
)

// chat returns an act that sends the message of an event as the one request that a chat takes.
func chat(request func(Event, message, Settings) Request) act {
	return func(ctx context.Context, e Event, s Settings, call Call) error {
		m, ok := messageOf(e)
		if !ok {
			return nil
		}
		_, err := call(ctx, request(e, m, s))
		return err
	}
}

// object is a JSON object.
type object map[string]any

// maxAnswer is how many bytes of an answer are read, where it matters.
const maxAnswer = 1 << 20

// post returns a request with a JSON body.
func post(address string, body any, header ...outbound.Field) Request {
	return raw(address, "application/json", encode(body), header...)
}

// encode returns a value of this package, which always encodes, as JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// raw returns a request with a body.
func raw(address, contentType string, body []byte, header ...outbound.Field) Request {
	var r Request
	r.URL, r.Body = address, body
	r.Header = append([]outbound.Field{{Name: "Content-Type", Value: contentType}}, header...)
	return r
}

// slack is for Mattermost, too, which reads the same messages. It sends a message to each of the
// channels of the kind of event, or to that of the webhook.
func slack(ctx context.Context, e Event, s Settings, call Call) error {
	channels := s.list(messageChannel(e))
	if len(channels) == 0 {
		channels = s.list("channel")
	}
	if len(channels) == 0 {
		channels = []string{""}
	}
	var failed []error
	for _, channel := range channels {
		failed = append(failed, chat(func(e Event, m message, s Settings) Request {
			return slackMessage(e, m, s, channel)
		})(ctx, e, s, call))
	}
	return errors.Join(failed...)
}

// messageChannel returns the parameter with the channels of an event.
func messageChannel(e Event) string {
	m, _ := messageOf(e)
	return m.channel
}

func slackMessage(e Event, m message, s Settings, channel string) Request {
	body := object{"text": m.summary.slack()}
	if channel != "" {
		body["channel"] = channel
	}
	if name := s.text("username"); name != "" {
		body["username"] = name
	}
	if len(m.detail) > 0 || m.title != "" {
		body["attachments"] = []object{{
			"color": m.color, "fallback": m.summary.plain(), "title": words(word(m.title)).slack(), "title_link": m.url,
			"author_name": e.person().Name,
			"text":        m.detail.slack(), "mrkdwn_in": []string{"text"},
		}}
	}
	return post(s.text("webhook"), body)
}

// discord has a webhook, and not a channel, for each kind of event.
func discord(e Event, m message, s Settings) Request {
	rgb, _ := strconv.ParseInt(strings.TrimPrefix(m.color, "#"), 16, 32)
	embed := object{"description": m.summary.markdown() + "\n" + m.detail.markdown(), "color": rgb}
	if m.title != "" {
		embed["title"], embed["url"] = m.title, m.url
	}
	who := e.person()
	author := object{"name": who.Name}
	if who.AvatarURL != "" {
		author["icon_url"] = who.AvatarURL
	}
	embed["author"] = author
	return post(cmp.Or(s.text(m.channel), s.text("webhook")), object{"embeds": []object{embed}})
}

func teams(_ Event, m message, s Settings) Request {
	title, link := m.title, m.url
	if title == "" {
		title = m.summary.plain()
	}
	card := object{
		"@type": "MessageCard", "@context": "https://schema.org/extensions", "title": title,
		"summary": m.summary.plain(), "themeColor": strings.TrimPrefix(m.color, "#"),
		"sections": []object{{"activityTitle": m.summary.markdown(), "activityText": m.detail.markdown()}},
	}
	if link != "" {
		card["potentialAction"] = []object{{
			"@type": "OpenUri", "name": "Open", "targets": []object{{"os": "default", "uri": link}},
		}}
	}
	return post(s.text("webhook"), card)
}

func hangouts(_ Event, m message, s Settings) Request {
	body, address := object{"text": lines(m.summary.slack(), m.detail.slack())}, s.text("webhook")
	if m.thread != "" {
		body["thread"] = object{"threadKey": m.thread}
		address = withQuery(address, "messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD")
	}
	return post(address, body)
}

func webex(_ Event, m message, s Settings) Request {
	return post(s.text("webhook"), object{"markdown": lines(m.summary.markdown(), m.detail.markdown())})
}

func unify(e Event, m message, s Settings) Request {
	return post(s.text("webhook"), object{
		"subject": e.Project.Path, "text": lines(m.summary.markdown(), m.detail.markdown()), "markdown": true,
	})
}

func pumble(_ Event, m message, s Settings) Request {
	return post(s.text("webhook"), object{"text": lines(m.summary.slack(), m.detail.slack())})
}

// telegram takes its token in the address alone.
func telegram(_ Event, m message, s Settings) Request {
	body := object{
		"chat_id": s.text("room"), "text": lines(m.summary.html(), m.detail.html()), "parse_mode": "HTML",
	}
	if thread := s.text("thread"); thread != "" {
		body["message_thread_id"] = thread
	}
	return post(s.address("hostname", "https://api.telegram.org")+"/bot"+s.text("token")+"/sendMessage", body)
}

func matrix(e Event, m message, s Settings) Request {
	r := post(s.address("hostname", "https://matrix.org")+"/_matrix/client/v3/rooms/"+url.PathEscape(s.text("room"))+
		"/send/m.room.message/"+e.ID, object{
		"msgtype": "m.text", "body": lines(m.summary.plain(), m.detail.plain()), "format": "org.matrix.custom.html",
		"formatted_body": strings.ReplaceAll(lines(m.summary.html(), m.detail.html()), "\n", "<br>"),
	}, bearer(s.text("token"))...)
	r.Method = "PUT"
	return r
}

// pushover takes a form.
func pushover(_ Event, m message, s Settings) Request {
	form := url.Values{
		"token": {s.text("api_key")}, "user": {s.text("user_key")}, "priority": {s.text("priority")},
		"title": {cut(m.summary.plain(), maxTitle)}, "message": {cut(cmp.Or(m.detail.plain(), m.summary.plain()), 1024)},
	}
	for name, value := range map[string]string{
		"device": s.text("device"), "sound": s.text("sound"), "url": m.url,
	} {
		if value != "" {
			form.Set(name, value)
		}
	}
	return raw("https://api.pushover.net/1/messages.json", "application/x-www-form-urlencoded", []byte(form.Encode()))
}

// lines joins texts that are not empty.
func lines(texts ...string) string {
	var b []string
	for _, t := range texts {
		if t != "" {
			b = append(b, t)
		}
	}
	return strings.Join(b, "\n")
}

// withQuery adds a parameter to an address.
func withQuery(address, name, value string) string {
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	return address + separator + url.QueryEscape(name) + "=" + url.QueryEscape(value)
}
