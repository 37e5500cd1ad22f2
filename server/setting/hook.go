package setting

import (
	"hew/server/fault"
	"hew/server/outbound"
)

// OutboundPolicy returns which addresses the settings allow outbound requests to.
func OutboundPolicy(s Settings) outbound.Policy {
	return outbound.Policy{Local: s.AllowLocalHooks, Allow: s.OutboundAllowlist}
}

// SystemHookPolicy returns which addresses the settings allow to hooks of the instance, which
// administrators create.
func SystemHookPolicy(s Settings) outbound.Policy {
	return outbound.Policy{Local: s.AllowLocalSystemHooks, Allow: s.OutboundAllowlist}
}

// InvalidURL returns the fault for a URL that the outbound policy refuses.
func InvalidURL() error { return fault.Unprocessable("Invalid url given").In(fault.Parameter) }
