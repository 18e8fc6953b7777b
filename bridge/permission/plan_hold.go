package permission

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/copilot-bridge/copilot-bridge/acp"
)

// PlanHold keeps a session in plan mode until the user leaves it. An agent that says that it has left plan mode, in an
// update, in the answer to another request, or in a session that is loaded again, changes nothing here: edits and commands
// stay refused, and the editor goes on being told that the session is in plan mode, because it is. The zero value holds
// nothing. It belongs to one goroutine, that of the session's state.
type PlanHold struct {
	mode    acp.SessionModeID // the plan mode that holds, "" for none
	leaving int               // choices of the user's to leave it that the agent has not answered yet
	open    int               // choices of a mode that the agent has not answered yet
	last    *ModeChoice       // the user's last choice of a mode
	asked   bool              // the agent has not answered yet that it is in the mode
	denied  bool              // the agent said it had left, and the user was told
	offer   Offer             // what the agent offers, with the names by which it is read
}

// ModeChoice is one choice of a mode by the user. [Gate.Chose] makes it.
type ModeChoice struct {
	mode acp.SessionModeID
	plan bool // it is plan mode, which holds from now on
}

// Offered notes what the agent offers, before what it reports with that; nil is as before.
func (h *PlanHold) Offered(modes *acp.SessionModeState, options []acp.SessionConfigOption) {
	if modes != nil {
		h.offer.Modes = modes
	}
	if options != nil {
		h.offer.Options = options
	}
}

// Mode is the mode that counts where the agent reports one: its own, or plan mode while that holds. Plan mode holds as
// soon as the agent is in it: that is never less than the user wants.
func (h *PlanHold) Mode(reported acp.SessionModeID) acp.SessionModeID {
	switch {
	case h.offer.IsPlan(reported):
		h.Restore(reported)
		return reported
	case h.Shown() == "":
		return reported
	}
	return h.mode
}

// Shown is the plan mode that the editor is told of whatever the agent says, "" while there is none or the user is leaving it.
func (h *PlanHold) Shown() acp.SessionModeID {
	if h.leaving > 0 {
		return ""
	}
	return h.mode
}

// On says whether plan mode holds.
func (h *PlanHold) On() bool { return h.mode != "" }

// Restore has plan mode hold for a session that was in it when it was last seen.
func (h *PlanHold) Restore(mode acp.SessionModeID) {
	if h.mode == "" {
		h.begin(mode)
	}
}

func (h *PlanHold) begin(mode acp.SessionModeID) { h.mode, h.denied, h.asked = mode, false, false }

// Choose notes that the user sets a mode; the agent is told next. Answered follows.
func (h *PlanHold) Choose(c *ModeChoice) {
	h.last = c
	h.open++
	switch {
	case !c.plan:
		h.leaving++
	case h.mode == "": // not only when the agent has answered: it may take its time, and go on writing
		h.begin(c.mode)
		h.asked = true
	}
}

// Answered notes that the agent has answered a choice. still says that plan mode holds although another mode was chosen: the
// agent refused, or the user has chosen again since.
func (h *PlanHold) Answered(c *ModeChoice, ok bool) (still bool) {
	h.open--
	if c.plan {
		switch {
		case ok:
			h.begin(c.mode)
		case h.asked && h.last == c: // the user is told that it was not set
			h.mode, h.asked = "", false
		}
		return false
	}
	h.leaving--
	if ok && h.last == c { // the answer to an earlier choice does not undo a later one
		h.mode = ""
	}
	return h.mode != ""
}

// Denied says, once a hold, that the agent takes plan mode for over, for the user to be told.
func (h *PlanHold) Denied(reported acp.SessionModeID) bool {
	if h.Mode(reported) == reported || h.denied {
		return false
	}
	h.denied = true
	return true
}

// Modes is [PlanHold.Mode] for a whole answer. m is left as it is.
func (h *PlanHold) Modes(m *acp.SessionModeState) *acp.SessionModeState {
	if m == nil {
		return nil
	}
	held := *m
	held.CurrentModeID = h.Mode(m.CurrentModeID)
	return &held
}

// Options is [PlanHold.Mode] for the option that stands for the mode. options are left as they are.
func (h *PlanHold) Options(options []acp.SessionConfigOption) []acp.SessionConfigOption {
	out := slices.Clone(options)
	for i, o := range out {
		sel, ok := o.Variant.(*acp.SessionConfigSelect)
		if !ok || !IsModeOption(o) {
			continue
		}
		now := *sel
		now.CurrentValue = acp.SessionConfigValueID(h.Mode(acp.SessionModeID(sel.CurrentValue)))
		out[i].Variant = &now
	}
	return out
}

// Params are those of session/update, with the update u in them as the editor gets it and all else as it came.
func (h *PlanHold) Params(params jsontext.Value, u acp.SessionUpdate) jsontext.Value {
	update := acp.Member(params, "update")
	switch u := u.(type) {
	case *acp.CurrentModeUpdate:
		if held := h.Mode(u.CurrentModeID); held != u.CurrentModeID {
			return acp.SetMember(params, "update", acp.SetMember(update, "currentModeId", acp.Quote(string(held))))
		}
	case *acp.ConfigOptionUpdate:
		return acp.SetMember(params, "update", rawOptions(update, h.Mode))
	}
	return params
}

// Answer is an answer of the agent's that tells modes or options, as the editor gets it. What it says has been taken in by
// the session.
func (g *Gate) Answer(raw jsontext.Value) jsontext.Value {
	g.mu.Lock()
	h := PlanHold{mode: g.hold.Shown(), offer: g.offer}
	g.mu.Unlock()
	if !h.On() {
		return raw
	}
	if modes := acp.Member(raw, "modes"); modes != nil {
		if now, ok := acp.StringOf(acp.Member(modes, "currentModeId")); ok {
			raw = acp.SetMember(raw, "modes", acp.SetMember(modes, "currentModeId", acp.Quote(string(h.Mode(acp.SessionModeID(now))))))
		}
	}
	return rawOptions(raw, h.Mode)
}

// rawOptions is obj, which has configOptions, with the mode in them that held says. All else stays as it came.
func rawOptions(obj jsontext.Value, held func(acp.SessionModeID) acp.SessionModeID) jsontext.Value {
	list, changed := listIn(obj, "configOptions"), false
	for i, raw := range list {
		var o acp.SessionConfigOption
		if acp.Unmarshal(raw, &o) != nil || !IsModeOption(o) {
			continue
		}
		now, ok := acp.StringOf(acp.Member(raw, "currentValue"))
		if to := held(acp.SessionModeID(now)); ok && string(to) != now {
			list[i], changed = acp.SetMember(raw, "currentValue", acp.Quote(string(to))), true
		}
	}
	if !changed {
		return obj
	}
	return withList(obj, "configOptions", list)
}

// IsModeOption says whether an option is another spelling of the mode (ACP v1: options supersede modes).
func IsModeOption(o acp.SessionConfigOption) bool {
	return o.ID == "mode" || o.Category != nil && *o.Category == "mode"
}

// ModeOf is the mode that options report, in the option that stands for it.
func ModeOf(options []acp.SessionConfigOption) (mode acp.SessionModeID, ok bool) {
	for _, o := range options {
		if sel, ok := o.Variant.(*acp.SessionConfigSelect); ok && IsModeOption(o) {
			return acp.SessionModeID(sel.CurrentValue), true
		}
	}
	return "", false
}

// IsPlan says whether a mode is plan mode by its id, which is all that is known of one that was saved. See [Offer.IsPlan].
func IsPlan(id acp.SessionModeID) bool { return isMode(id, "plan") }

// IsAutopilot says whether it is autopilot by its id.
func IsAutopilot(id acp.SessionModeID) bool { return isMode(id, "autopilot") }
