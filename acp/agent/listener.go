package agent

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/netip"
	"strconv"
	"strings"
)

// listener is a socket that would be given a connection to some address.
type listener struct {
	addr netip.AddrPort
	uid  int
}

// listeners reads a table of the form of /proc/net/tcp and tcp6 and returns the
// sockets that may receive a connection to target: bound to its port, and to its
// address or to all. It errs on the side of too many.
func listeners(table io.Reader, target netip.AddrPort) []listener {
	const stateListen = "0A"
	var found []listener
	for sc := bufio.NewScanner(table); sc.Scan(); {
		f := strings.Fields(sc.Text()) // sl local remote st tx:rx tr:when retrnsmt uid …
		if len(f) < 8 || f[3] != stateListen {
			continue
		}
		local, ok := parseSocket(f[1])
		uid, err := strconv.Atoi(f[7])
		if !ok || err != nil || local.Port() != target.Port() {
			continue
		}
		if a := local.Addr().Unmap(); a == target.Addr() || a.IsUnspecified() {
			found = append(found, listener{local, uid})
		}
	}
	return found
}

// parseSocket reads an address as the kernel prints it: words of 32 bits in the
// machine's order, then the port.
func parseSocket(s string) (netip.AddrPort, bool) {
	host, port, _ := strings.Cut(s, ":")
	b, err := hex.DecodeString(host)
	n, perr := strconv.ParseUint(port, 16, 16)
	if err != nil || perr != nil || len(b) != 4 && len(b) != 16 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	addr, ok := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(addr, uint16(n)), ok
}
