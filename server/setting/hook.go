package setting

import (
	"hew/server/fault"
	"hew/server/outbound"
)

// OutboundPolicy is where the settings let requests go.
func OutboundPolicy(s Settings) outbound.Policy {
	return outbound.Policy{Local: s.AllowLocalHooks, Allow: s.OutboundAllowlist}
}

func InvalidURL() error { return fault.Unprocessable("Invalid url given").In(fault.Parameter) }
