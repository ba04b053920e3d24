// SPDX-License-Identifier: MIT
//
// Go's net/http, as the other peers are used:
//
//	peer <url> <requests> <concurrency> [json]
//	peer download <url>
//	peer <upload|form> <url> <file>
//	peer encode <file>
//
// Prints seconds and CPU seconds. Whom to trust comes from SSL_CERT_FILE.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

type todo struct {
	ID        int
	Title     string
	Completed bool
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func measured(work func()) {
	cpu := func() float64 {
		var usage syscall.Rusage
		must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
		seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
		return seconds(usage.Utime) + seconds(usage.Stime)
	}
	start, startCPU := time.Now(), cpu()
	work()
	fmt.Printf("%.6f %.6f\n", time.Since(start).Seconds(), cpu()-startCPU)
}

func gets(url string, requests, width int, decodes bool) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: width, ForceAttemptHTTP2: true}}
	get := func() {
		response, err := client.Get(url)
		must(err)
		defer response.Body.Close()
		if decodes {
			var todos []todo
			must(json.NewDecoder(response.Body).Decode(&todos))
		}
		_, err = io.ReadAll(response.Body)
		must(err)
	}
	get()
	measured(func() {
		var group sync.WaitGroup
		for worker := 0; worker < width; worker++ {
			share := requests / width
			if worker < requests%width {
				share++
			}
			group.Add(1)
			go func() {
				defer group.Done()
				for i := 0; i < share; i++ {
					get()
				}
			}()
		}
		group.Wait()
	})
}

func send(method, url, contentType string, body io.Reader, length int64) {
	request, err := http.NewRequest(method, url, body)
	must(err)
	request.Header.Set("Content-Type", contentType)
	request.ContentLength = length
	response, err := http.DefaultClient.Do(request)
	must(err)
	if response.StatusCode != 200 {
		panic(response.Status)
	}
}

func open(path string) (*os.File, int64) {
	file, err := os.Open(path)
	must(err)
	info, err := file.Stat()
	must(err)
	return file, info.Size()
}

func write(form *multipart.Writer, path string) {
	must(form.WriteField("title", "Benchmark"))
	part, err := form.CreateFormFile("file", "file")
	must(err)
	if path != "" {
		file, _ := open(path)
		_, err = io.Copy(part, file)
		must(err)
	}
	must(form.Close())
}

// The form's length is what it has without the file, and the file's.
func sendForm(url, path string) {
	var frame counter
	empty := multipart.NewWriter(&frame)
	write(empty, "")
	_, size := open(path)
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	must(form.SetBoundary(empty.Boundary()))
	go func() {
		write(form, path)
		writer.Close()
	}()
	send("POST", url, form.FormDataContentType(), reader, size+int64(frame))
}

type counter int64

func (c *counter) Write(bytes []byte) (int, error) {
	*c += counter(len(bytes))
	return len(bytes), nil
}

func main() {
	arguments := os.Args[1:]
	switch arguments[0] {
	case "download":
		measured(func() {
			response, err := http.Get(arguments[1])
			must(err)
			_, err = io.Copy(io.Discard, response.Body)
			must(err)
		})
	case "upload":
		measured(func() {
			file, size := open(arguments[2])
			send("PUT", arguments[1], "application/octet-stream", file, size)
		})
	case "form":
		measured(func() { sendForm(arguments[1], arguments[2]) })
	case "encode":
		measured(func() { write(multipart.NewWriter(io.Discard), arguments[1]) })
	default:
		requests, err := strconv.Atoi(arguments[1])
		must(err)
		width, err := strconv.Atoi(arguments[2])
		must(err)
		gets(arguments[0], requests, width, len(arguments) > 3)
	}
}
