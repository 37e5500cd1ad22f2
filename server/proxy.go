package server

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// proxies are the networks of the reverse proxies whose word is taken for where a request comes
// from.
type proxies []netip.Prefix

// parseProxies reads networks and addresses that are separated by commas: 10.0.0.0/8, ::1.
func parseProxies(text string) (list proxies, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(word)
		if err != nil {
			address, failed := netip.ParseAddr(word)
			if failed != nil || address.Zone() != "" {
				return nil, fmt.Errorf("trusted proxies: %q is not a network or an address; give one such as 10.0.0.0/8",
					word)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		list = append(list, network.Masked())
	}
	return list, nil
}

func (p proxies) trust(address netip.Addr) bool {
	for _, network := range p {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// clientOf returns where a request comes from: the last address in X-Forwarded-For that is not one
// of a proxy. Whatever is before it the client may have made up. A request that no proxy has sent
// comes from its connection, whatever it says.
func (p proxies) clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	client, err := netip.ParseAddr(host)
	if err != nil || !p.trust(client.Unmap()) {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := parseHop(hops[i])
		if !ok {
			break
		}
		if client = hop; !p.trust(hop) {
			break
		}
	}
	return net.JoinHostPort(client.Unmap().String(), "0")
}

// parseHop reads an address of X-Forwarded-For, to which some proxies add the port.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return address.Unmap().WithZone(""), err == nil
}

// wrap gives each request the address that it comes from, for limits, logs and records.
func (p proxies) wrap(next http.Handler) http.Handler {
	if len(p) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		client := p.clientOf(r)
		if client != r.RemoteAddr {
			r = r.WithContext(r.Context()) // a copy: the original is the server's
			r.RemoteAddr = client
		}
		next.ServeHTTP(w, r)
	})
}
