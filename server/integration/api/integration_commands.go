package api

import (
	"context"
	"net/http"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/integration"
	"hew/server/rest"
	"hew/server/tree"
)

// commands returns the routes that chats call when somebody types a command. They show the token of
// the integration only.
func (a integrations) commands(path string) []rest.Route {
	return []rest.Route{
		rest.Post(path+"/slack_slash_commands/trigger", a.chat("slack-slash-commands"), a.command).Status(
			http.StatusOK,
		),
		rest.Post(path+"/mattermost_slash_commands/trigger", a.chat("mattermost-slash-commands"), a.command).Status(
			http.StatusOK,
		),
	}
}

// chat admits requests with the token of an active integration of the project. To others the
// project does not exist.
func (integrations) chat(slug string) rest.Guard[integration.Integration] {
	return rest.Guard[integration.Integration]{Need: "integration_token",
		Open: func(ctx context.Context, r *http.Request) (integration.Integration, error) {
			var i integration.Integration
			st, token := db.From(ctx), rest.Param(r, "token")
			if token == "" {
				return i, fault.Param("token is missing")
			}
			p, err := tree.ProjectFor(ctx, st, r.PathValue("id"), 0)
			if err == nil {
				i, err = integration.Integrations(st, p.Container()).One(ctx, integration.BySlug(slug))
			}
			known := false
			if err == nil && i.Active {
				known, err = integration.IsSecret(ctx, st, i, "token", token)
			}
			if fault.CodeOf(err) == fault.CodeNotFound || err == nil && !known {
				err = fault.NotFound("")
			}
			return i, err
		}}
}

// chatReply is the answer that the chat shows to the user who typed the command.
type chatReply struct {
	ResponseType string `json:"response_type"`
	Text         string `json:"text"`
}

type chatCommand struct {
	Token string `param:"token,required"`
}

// command answers a command. It runs none, because chat users are not mapped to users of this
// server.
func (integrations) command(context.Context, integration.Integration, chatCommand) (chatReply, error) {
	return chatReply{"ephemeral", "This host does not know who you are, so it carries out no commands for you."}, nil
}
