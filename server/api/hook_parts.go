package api

import (
	"context"

	"hew/server/forge"
	"hew/server/rest"
)

type hookVariableSet struct {
	hookID
	hookVariable
}

// setVariable sets one header or variable of a hook, new or not.
func (hooks) setVariable(p forge.HookPart) rest.Handler[container, hookVariableSet, rest.None] {
	return func(ctx context.Context, s container, in hookVariableSet) (rest.None, error) {
		_, err := forge.ChangeHook(ctx, s.Store, s.Container, in.HookID, p.Set(s.Store, forge.HookSecret(in.hookVariable)))
		return rest.None{}, err
	}
}

type hookVariableDelete struct {
	hookID
	Key string `param:"key"`
}

func (hooks) deleteVariable(p forge.HookPart) rest.Handler[container, hookVariableDelete, rest.None] {
	return func(ctx context.Context, s container, in hookVariableDelete) (rest.None, error) {
		_, err := forge.ChangeHook(ctx, s.Store, s.Container, in.HookID, p.Delete(s.Store, in.Key))
		return rest.None{}, err
	}
}
