// SPDX-License-Identifier: MIT
//
// Go's net/http, as the other peers are used: peer <url> <requests> <concurrency>.
// Prints seconds and CPU seconds.
package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func main() {
	url := os.Args[1]
	requests, _ := strconv.Atoi(os.Args[2])
	width, _ := strconv.Atoi(os.Args[3])
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: width, ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	get := func() {
		response, err := client.Get(url)
		if err != nil {
			panic(err)
		}
		if _, err := io.ReadAll(response.Body); err != nil {
			panic(err)
		}
		response.Body.Close()
	}
	get()
	start, startCPU := time.Now(), cpu()
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
	fmt.Printf("%.4f %.4f\n", time.Since(start).Seconds(), cpu()-startCPU)
}
