package plain

import (
	"context"

	"go.lsp.dev/protocol"
)

// refreshLenses has the editor ask for lenses again, where it can be told to. One request is under way at a time; what
// is wanted meanwhile is one more.
func (p *Tier) refreshLenses() {
	if !p.Client.Can().LensRefresh || p.Client.Rich(Review) || p.lenses.Add(1) != 1 {
		return
	}
	p.Client.Go(func() {
		for n := p.lenses.Load(); ; n = p.lenses.Load() {
			ctx, cancel := context.WithTimeout(p.Life, CallLimit)
			err := p.Client.Call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
			cancel()
			if err != nil {
				p.Log.Debug().Err(err).Msg("workspace/codeLens/refresh")
			}
			if p.lenses.CompareAndSwap(n, 0) {
				return
			}
		}
	})
}
