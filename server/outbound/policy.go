package outbound

import (
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Policy says where requests may go. The zero value admits public addresses only.
type Policy struct {
	Local bool     // admit this machine and its networks, too
	Allow []string // also admit these: hosts, addresses or CIDR blocks, each with an optional port
}

// urlVariable matches a variable of an address, {like_this}.
var urlVariable = regexp.MustCompile(`\{[A-Za-z_][A-Za-z0-9_.-]*\}`)

// Ports maps the schemes that an address may have to their default ports.
type Ports map[string]string

// The schemes of requests, and those by which repositories are pushed and pulled.
var (
	Web = Ports{"http": "80", "https": "443"}
	Git = Ports{"http": "80", "https": "443", "ssh": "22", "git": "9418"}
)

// Admits reports whether requests may be sent to an address, as far as it shows: its scheme is http
// or https, and its host is not local by name. Variables stand for any text. What the name resolves
// to is checked when a request is sent.
func (p Policy) Admits(address string) bool { return p.AdmitsBy(Web, address) }

// AdmitsBy reports the same for other schemes.
func (p Policy) AdmitsBy(ports Ports, address string) bool {
	if len(address) > 2048 || strings.TrimSpace(address) != address || strings.ContainsAny(address, "\r\n\t\x00") {
		return false
	}
	u, err := url.Parse(urlVariable.ReplaceAllString(address, "x"))
	if err != nil || ports[u.Scheme] == "" || u.Hostname() == "" || u.Opaque != "" {
		return false
	}
	port := u.Port()
	if port == "" {
		port = ports[u.Scheme]
	} else if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return false
	}
	host := normalHost(u.Hostname())
	if strings.HasPrefix(host, "-") { // an option, to a program that takes it for one
		return false
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return p.admitsAddr(host, ip, port)
	case endsInNumber(host): // other spellings of IPv4 addresses that resolvers accept: 127.1, 0x7f000001
		return false
	}
	return p.Local || !isLocalName(host) || p.isListed(host, netip.Addr{}, port)
}

// admitsAddr reports whether the policy admits ip, to which host resolved.
func (p Policy) admitsAddr(host string, ip netip.Addr, port string) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	return p.Local || isPublic(ip) || p.isListed(normalHost(host), ip, port)
}

// isListed reports whether Allow contains the host or the address. An invalid ip matches no
// address.
func (p Policy) isListed(host string, ip netip.Addr, port string) bool {
	for _, entry := range p.Allow {
		name, only := splitPort(strings.TrimSpace(entry))
		if only != "" && only != port {
			continue
		}
		if block, err := netip.ParsePrefix(name); err == nil {
			if ip.IsValid() && block.Contains(ip) {
				return true
			}
			continue
		}
		if addr, err := netip.ParseAddr(name); err == nil {
			if ip == addr.Unmap() {
				return true
			}
			continue
		}
		if name != "" && normalHost(name) == host {
			return true
		}
	}
	return false
}

// splitPort splits an entry of Allow. A bare IPv6 address has no port; [::1]:8080 has one.
func splitPort(entry string) (name, port string) {
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(entry, "["), "]"); ok && entry[0] == '[' {
		return inner, strings.TrimPrefix(rest, ":")
	}
	if strings.Count(entry, ":") == 1 {
		name, port, _ = strings.Cut(entry, ":")
		return name, port
	}
	return entry, ""
}

// normalHost returns a host in lower case, without a trailing dot.
func normalHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

func isLocalName(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local")
}

// endsInNumber reports whether the last label of a host is a number, which no public name has.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}

// reservedBlocks are the blocks that netip has no method for and that are not public, or that embed
// an IPv4 address.
var reservedBlocks = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network
	netip.MustParsePrefix("100.64.0.0/10"),   // behind a carrier's NAT
	netip.MustParsePrefix("192.0.0.0/24"),    // protocols
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation, like the next two
	netip.MustParsePrefix("198.51.100.0/24"), //
	netip.MustParsePrefix("203.0.113.0/24"),  //
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarks
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, and the broadcast address
	netip.MustParsePrefix("::/96"),           // IPv4-compatible
	netip.MustParsePrefix("::ffff:0:0:0/96"), // IPv4-translated
	netip.MustParsePrefix("64:ff9b::/96"),    // NAT64
	netip.MustParsePrefix("64:ff9b:1::/48"),  // NAT64, local
	netip.MustParsePrefix("100::/64"),        // discarded
	netip.MustParsePrefix("2001::/23"),       // protocols, with Teredo among them
	netip.MustParsePrefix("2001:db8::/32"),   // documentation
	netip.MustParsePrefix("2002::/16"),       // 6to4
	netip.MustParsePrefix("fec0::/10"),       // site-local
}

func isPublic(ip netip.Addr) bool {
	for _, block := range reservedBlocks {
		if block.Contains(ip) {
			return false
		}
	}
	return ip.IsGlobalUnicast() && !ip.IsPrivate()
}
