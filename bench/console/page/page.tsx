// The page of the console's benchmarks: the console over a made-up trace, or a peer on the same feed.
import { createRoot, type Root } from 'react-dom/client'
import '../../../src/ui/base.css'
import '../../../src/ui/tokens.css'
import { Console } from '../../../src/ui/console/console.tsx'
import { createFeed } from './feed.ts'
import { inspectPeer, reduxPeer } from './peers.ts'

/** A step of the feed in a task of its own so often. */
const TICK_MS = 10

const feed = createFeed()
let root: Root | undefined

function open(): void {
  root = createRoot(document.getElementById('root') ?? document.body)
  const recording = {
    trace: feed.source,
    isRecording: () => true,
    start: () => undefined,
    stop: () => undefined,
    download: () => Promise.resolve(new Blob()),
  }
  root.render(<Console recording={recording} now={() => performance.now()} onClose={() => undefined} />)
}

function close(): void {
  root?.unmount()
  root = undefined
}

type Taker = 'console' | 'redux' | 'inspect'

const takers: Readonly<Record<Taker, () => (n: number, t: number) => void>> = {
  console: () => (_, t) => feed.append(1, t),
  redux: () => {
    const peer = reduxPeer()
    return n => peer.step(n)
  },
  inspect: () => {
    const peer = inspectPeer()
    return n => peer.step(n)
  },
}

/** Gives so many steps a second, and answers with the longest task in milliseconds. */
async function live(taker: Taker, rate: number, seconds: number) {
  const take = takers[taker]()
  const started = performance.now()
  let [given, longest] = [0, 0]
  const observer = new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
  })
  observer.observe({ type: 'longtask' })
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      const began = performance.now()
      const wanted = Math.min(seconds * rate, Math.floor(((began - started) / 1000) * rate))
      for (; given < wanted; given++) take(given, began - started)
      // Tasks below 50 ms are not told of.
      longest = Math.max(longest, performance.now() - began)
      if (given >= seconds * rate) {
        clearInterval(timer)
        resolve()
      }
    }, TICK_MS)
  })
  observer.disconnect()
  return { longest, given, heap: heapBytes() }
}

function heapBytes(): number {
  const { memory } = performance as { readonly memory?: { readonly usedJSHeapSize: number } }
  return memory?.usedJSHeapSize ?? 0
}

/** Does something in each of so many frames, and answers with how long each took, in milliseconds. */
async function frames(count: number, act: (frame: number) => void): Promise<number[]> {
  const times: number[] = []
  let last = await nextFrame()
  for (let frame = 0; frame < count; frame++) {
    act(frame)
    const now = await nextFrame()
    times.push(now - last)
    last = now
  }
  return times
}

const nextFrame = () => new Promise<number>(resolve => requestAnimationFrame(resolve))

/** Steps and leaps through what is open, as somebody who holds a key and then looks elsewhere. */
async function scrub(count: number): Promise<number[]> {
  const console = document.querySelector('section[aria-label=Console]')
  const log = document.querySelector('[aria-label="Event log"]')
  const press = (target: Element | null, key: string) =>
    target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  return frames(count, frame => {
    if (frame % 20 === 0) press(console, frame % 40 === 0 ? 'g' : 'l')
    else press(log, frame % 40 < 20 ? 'ArrowDown' : 'ArrowUp')
  })
}

/** The peer among as many actions as it takes in a reasonable time. */
async function scrubRedux(actions: number, count: number): Promise<number[]> {
  const peer = reduxPeer(actions + 1)
  for (let n = 0; n < actions; n++) peer.step(n)
  return frames(count, frame => peer.jump((frame * 97) % actions))
}

/** Milliseconds that an app's own steps take: the best of so many turns. */
function work(steps: number, turns: number): number {
  const times = Array.from({ length: turns }, () => {
    const began = performance.now()
    for (let n = 0; n < steps; n++) feed.append(1, n)
    return performance.now() - began
  })
  return Math.min(...times)
}

const bench = { open, close, live, scrub, scrubRedux, work, listeners: feed.listeners }
export type ConsoleBench = typeof bench
Object.assign(window, { bench })
