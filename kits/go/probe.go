// Package probe is the probe protocol for Go: what stands between tare and the code under test.
//
// A contender says `with = ["kits/go"]` in its manifest, which makes the kit a package of its own module, and
//
//	package main
//
//	import (
//		"strconv"
//
//		probe "squares/with/go"
//	)
//
//	func main() {
//		kit := probe.New()
//		kit.Job(64, func(input int) []byte {
//			return strconv.AppendInt(nil, int64(input)*7919, 10)
//		})
//		kit.Serve()
//	}
//
// Where the case is swept, each size is a job of its own: kit.Sized(25, 64, …). A job returns bytes, made anew; a
// number is probe.Number. Further commands (`read HEX`) are kit.Command("read", …).
//
// The loop calls the job through a function value. Go inlines small functions only, an encoder is none, and a
// direct call of it would cost the same within a nanosecond.
package probe

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Result makes the result of one input; inputs are counted from 0.
type Result func(input int) []byte

// Probe holds the jobs of a contender, and the commands that it answers besides.
type Probe struct {
	jobs     map[string]job
	commands map[string]func(argument string) ([]byte, error)
}

type job struct {
	inputs int
	result Result
}

// New makes a probe without jobs.
func New() *Probe {
	return &Probe{map[string]job{}, map[string]func(string) ([]byte, error){}}
}

// Job is the job of a case without sizes: from the number of an input, below inputs, to its result.
func (p *Probe) Job(inputs int, result Result) {
	p.jobs[""] = job{inputs, result}
}

// Sized is the job for one size of a swept case.
func (p *Probe) Sized(size uint64, inputs int, result Result) {
	p.jobs[strconv.FormatUint(size, 10)] = job{inputs, result}
}

// Only is for a case that is one size of a sweep: of all jobs that of this size remains, as the job without a size.
// For the sweep itself (0) all remain.
func (p *Probe) Only(size uint64) {
	if size == 0 {
		return
	}
	kept, known := p.jobs[strconv.FormatUint(size, 10)]
	p.jobs = map[string]job{}
	if known {
		p.jobs[""] = kept
	}
}

// Command is a further command of one argument, answered with `ok HEX` or `error WHY`.
func (p *Probe) Command(name string, answer func(argument string) ([]byte, error)) {
	p.commands[name] = answer
}

// Serve answers each line of standard input with one line on standard output, until the input ends.
func (p *Probe) Serve() {
	input, output := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	for {
		line, err := input.ReadString('\n')
		if line == "" && err != nil {
			return
		}
		answer, why := p.answer(strings.TrimSuffix(line, "\n"))
		if why != nil {
			answer = "error " + strings.NewReplacer("\n", " ", "\r", " ").Replace(why.Error())
		}
		fmt.Fprintln(output, answer)
		if output.Flush() != nil {
			os.Exit(1)
		}
	}
}

func (p *Probe) answer(line string) (string, error) {
	words := strings.Split(line, " ")
	verb := words[0]
	if answer, known := p.commands[verb]; known && len(words) == 2 {
		bytes, err := answer(words[1])
		return "ok " + hex.EncodeToString(bytes), err
	}
	if verb != "run" && verb != "show" || len(words) < 2 || len(words) > 3 {
		return "", fmt.Errorf("%q is none of: run N [SIZE], show I [SIZE]", line)
	}
	number, err := parse(words[1])
	if err != nil {
		return "", err
	}
	work, err := p.find(words[2:])
	switch {
	case err != nil:
		return "", err
	case verb == "run":
		begin := time.Now()
		sum := work.run(number)
		return fmt.Sprintf("ok %d %d", time.Since(begin).Nanoseconds(), sum), nil
	case number >= uint64(work.inputs):
		return "", fmt.Errorf("there is no input %d", number)
	default:
		return "ok " + hex.EncodeToString(work.result(int(number))), nil
	}
}

// The job of the size that a command names, or of none.
func (p *Probe) find(size []string) (job, error) {
	key := ""
	if len(size) == 1 {
		number, err := parse(size[0])
		if err != nil {
			return job{}, err
		}
		key = strconv.FormatUint(number, 10)
	}
	work, known := p.jobs[key]
	if !known {
		return job{}, fmt.Errorf("there is no job of size %q", key)
	}
	return work, nil
}

func parse(word string) (uint64, error) {
	number, err := strconv.ParseUint(word, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number of 64 bits", word)
	}
	return number, nil
}

func (j job) run(count uint64) uint32 {
	sum, input := uint32(0), 0
	for ; count > 0; count-- {
		sum += Term(j.result(input))
		input++
		if input == j.inputs {
			input = 0
		}
	}
	return sum
}

// Term is what one result adds to the checksum: from its length and its first and last four bytes.
func Term(result []byte) uint32 {
	length := len(result)
	if length < 4 {
		return short(result)
	}
	first := binary.LittleEndian.Uint32(result)
	last := binary.LittleEndian.Uint32(result[length-4:])
	return uint32(length)*2654435761 + first*2246822519 + last*3266489917
}

// Padded with zero bytes, the first four are the last four.
func short(result []byte) uint32 {
	var padded [4]byte
	copy(padded[:], result)
	word := binary.LittleEndian.Uint32(padded[:])
	return uint32(len(result))*2654435761 + word*2246822519 + word*3266489917
}

// Number is a result that is a number: its eight bytes, little endian. A signed one is converted.
func Number(value uint64) []byte {
	return binary.LittleEndian.AppendUint64(make([]byte, 0, 8), value)
}
