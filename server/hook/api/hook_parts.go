package api

import (
	"context"

	"hew/server/hook"
	"hew/server/rest"
	"hew/server/scope"
)

type hookVariableSet struct {
	hookID
	hookVariable
}

// setVariable returns a handler that adds or replaces one header or variable of a hook.
func (hooks) setVariable(p hook.SecretList) rest.Handler[scope.Container, hookVariableSet, rest.None] {
	return func(ctx context.Context, s scope.Container, in hookVariableSet) (rest.None, error) {
		_, err := hook.ChangeHook(
			ctx, s.Store, s.Container, in.HookID, p.Set(s.Store, hook.Secret(in.hookVariable)),
		)
		return rest.None{}, err
	}
}

type hookVariableDelete struct {
	hookID
	Key string `param:"key"`
}

func (hooks) deleteVariable(p hook.SecretList) rest.Handler[scope.Container, hookVariableDelete, rest.None] {
	return func(ctx context.Context, s scope.Container, in hookVariableDelete) (rest.None, error) {
		_, err := hook.ChangeHook(ctx, s.Store, s.Container, in.HookID, p.Delete(s.Store, in.Key))
		return rest.None{}, err
	}
}
