package inputs

const site = "http://example.com/"

var phrases = [16]string{
	"the brook ran on ", "a catkin fell ", "under dogma ", "two larks rose ",
	"moss grew ", "scatter the seed ", "by the pebble shore ", "reeds bent low ",
	"no bobcat, only rain ", "hotdog stands closed ", "fern and stone ", "the wind turned ",
	"nobody spoke ", "category of clouds ", "late light ", "an endogenous murmur ",
}

// Hits are the search results of one input, one after the other in the same place.
type Hits struct {
	Count int

	// The texts of the present one; good until the next.
	URL, Snippet []byte
	Score        float64

	random                 *Random
	factor, offset, number uint32
}

// NewHits begins with none.
func NewHits(r *Random) *Hits {
	return &Hits{Count: 1 + int(r.Below(1000)), random: r, factor: 1 + r.Below(1008), offset: r.Below(1009)}
}

// Draw makes the next one.
func (h *Hits) Draw() {
	h.Score = float64((h.factor*h.number + h.offset) % 1009)
	h.number++
	h.drawURL()
	shape := h.random.Next()
	h.Snippet = append(h.Snippet[:0], ' ')
	h.phrases(shape & 7)
	if shape>>9&7 == 0 {
		h.Snippet = append(h.Snippet, "cat "...)
	}
	h.phrases(shape >> 3 & 7)
	if shape>>12&7 == 0 {
		h.Snippet = append(h.Snippet, "dog "...)
	}
	h.phrases(shape >> 6 & 7)
}

func (h *Hits) drawURL() {
	h.URL = append(h.URL[:0], site...)
	for blocks := 1 + h.random.Below(12); blocks > 0; blocks-- {
		digits := h.random.Next()
		for shift := 28; shift >= 0; shift -= 4 {
			h.URL = append(h.URL, "0123456789abcdef"[digits>>shift&15])
		}
	}
}

func (h *Hits) phrases(count uint32) {
	choices := h.random.Next()
	for ; count > 0; count-- {
		h.Snippet = append(h.Snippet, phrases[choices&15]...)
		choices >>= 4
	}
}
