package main

import (
	"bytes"
	"sort"

	"capnproto.org/go/capnp/v3"
	"tare/capnp/jobs"
	inputs "tare/capnp/with/for-go"
)

// Search results, sorted after cats and dogs were looked for in them.
type catrank struct{}

func (catrank) ask(input int, segment *capnp.Segment) error {
	hits := inputs.NewHits(inputs.NewRandom(inputs.Catrank, input))
	request, err := jobs.NewRootSearchResults(segment)
	if err != nil {
		return err
	}
	results, err := request.NewResults(int32(hits.Count))
	if err != nil {
		return err
	}
	for i := 0; i < hits.Count; i++ {
		hits.Draw()
		if err := set(results.At(i), hits.Score, string(hits.URL), string(hits.Snippet)); err != nil {
			return err
		}
	}
	return nil
}

func set(result jobs.SearchResult, score float64, url, snippet string) error {
	result.SetScore(score)
	if err := result.SetUrl(url); err != nil {
		return err
	}
	return result.SetSnippet(snippet)
}

type scored struct {
	score  float64
	result jobs.SearchResult
}

func (catrank) serve(request *capnp.Message, segment *capnp.Segment) error {
	root, err := jobs.ReadRootSearchResults(request)
	if err != nil {
		return err
	}
	results, err := root.Results()
	if err != nil {
		return err
	}
	ranked := make([]scored, results.Len())
	for i := range ranked {
		result := results.At(i)
		score, err := score(result)
		if err != nil {
			return err
		}
		ranked[i] = scored{score, result}
	}
	sort.Slice(ranked, func(i, j int) bool { return ranked[i].score > ranked[j].score })
	return write(ranked, segment)
}

func write(ranked []scored, segment *capnp.Segment) error {
	response, err := jobs.NewRootSearchResults(segment)
	if err != nil {
		return err
	}
	to, err := response.NewResults(int32(len(ranked)))
	if err != nil {
		return err
	}
	for i, from := range ranked {
		url, err := from.result.Url()
		if err != nil {
			return err
		}
		snippet, err := from.result.Snippet()
		if err != nil {
			return err
		}
		if err := set(to.At(i), from.score, url, snippet); err != nil {
			return err
		}
	}
	return nil
}

func (catrank) answer(response *capnp.Message) (uint64, error) {
	root, err := jobs.ReadRootSearchResults(response)
	if err != nil {
		return 0, err
	}
	results, err := root.Results()
	if err != nil {
		return 0, err
	}
	fold := uint32(0)
	for i := 0; i < results.Len(); i++ {
		result := results.At(i)
		url, err := result.UrlBytes()
		if err != nil {
			return 0, err
		}
		snippet, err := result.SnippetBytes()
		if err != nil {
			return 0, err
		}
		last := uint32(0)
		if len(url) > 0 {
			last = uint32(url[len(url)-1])
		}
		fold = 31*fold + uint32(int64(result.Score())) + 7*uint32(len(url)) + last + uint32(len(snippet))
	}
	return uint64(fold), nil
}

var cat, dog = []byte(" cat "), []byte(" dog ")

func score(result jobs.SearchResult) (float64, error) {
	snippet, err := result.SnippetBytes()
	if err != nil {
		return 0, err
	}
	score := result.Score()
	if bytes.Contains(snippet, cat) {
		score += 10000
	}
	if bytes.Contains(snippet, dog) {
		score -= 10000
	}
	return score, nil
}
