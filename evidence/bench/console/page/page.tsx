// The page of the console benchmarks: the console with a generated recording or an app's, or a peer with the
// same feed.
import { createRoot, type Root } from 'react-dom/client'
import '../../../../src/ui/widgets/base.css'
import '../../../../src/ui/widgets/tokens.css'
import { Console } from '../../../../src/ui/console/console.tsx'
import type { ReplayableTrace } from '../../../../src/trace/format/trace-source.ts'
import { createApp, type BenchApp } from './app.ts'
import { createFeed, type FeedOptions } from './feed.ts'
import { inspectPeer, reduxPeer } from './peers.ts'

/** Interval of the feed's steps, each in a separate task. */
const TICK_MS = 10

let feed = createFeed()
let app: BenchApp | undefined
let root: Root | undefined
/** Number of listeners of the app's recorder. */
let receivedCount = 0

/** Creates a new feed that already contains this many steps. */
function prepare(options: FeedOptions, steps: number): void {
  feed = createFeed(options)
  const now = performance.now()
  for (let n = 0; n < steps; n++) feed.append(1, (now * n) / steps)
}

function open(): void {
  show(feed.source)
}

function show(trace: ReplayableTrace): void {
  root = createRoot(document.getElementById('root') ?? document.body)
  const recording = {
    trace,
    isRecording: () => true,
    elapsed: () => performance.now(),
    start: () => undefined,
    stop: () => undefined,
    download: () => Promise.resolve(new Blob()),
  }
  root.render(<Console recording={recording} onClose={() => undefined} />)
}

function close(): void {
  root?.unmount()
  root = undefined
}

type Tool = 'console' | 'redux' | 'inspect'

const tools: Readonly<Record<Tool, () => (n: number, t: number) => void>> = {
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

/** Feeds a given number of steps per second; with the console, starting when it opens. */
async function live(tool: Tool, rate: number, seconds: number): Promise<void> {
  const take = tools[tool]()
  if (tool === 'console' && !root) open()
  const started = performance.now()
  let given = 0
  await new Promise<void>(resolve => {
    const timer = setInterval(() => {
      const began = performance.now()
      const wanted = Math.min(seconds * rate, Math.floor(((began - started) / 1000) * rate))
      for (; given < wanted; given++) take(given, began)
      if (given < seconds * rate) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
}

/** Calls `act` in each of `count` frames; returns the duration of each frame in milliseconds. */
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

const press = (target: Element | null, key: string) =>
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
const log = () => document.querySelector('[aria-label="Event log"]')

/** Steps and jumps through the open trace, like a user who holds a key and then looks elsewhere. */
async function scrub(count: number): Promise<number[]> {
  const console = document.querySelector('section[aria-label=Console]')
  return frames(count, frame => {
    if (frame % 20 === 0) press(console, frame % 40 === 0 ? 'g' : 'l')
    else press(log(), frame % 40 < 20 ? 'ArrowDown' : 'ArrowUp')
  })
}

/** Opens the console and takes `steps` steps in each tab, one every `every` frames. */
async function look(steps: number, every: number, tabs: readonly string[]): Promise<void> {
  open()
  await frames(30, () => undefined)
  for (const name of tabs) {
    const all = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
    all.find(({ textContent }) => textContent === name)?.click()
    await frames(steps * every, frame => void (frame % every === 0 && press(log(), 'ArrowUp')))
  }
}

let redux: ReturnType<typeof reduxPeer> | undefined

/** Sends actions to the peer; returns how long that took, in milliseconds. */
function fillRedux(actions: number): { readonly took: number } {
  const began = performance.now()
  redux = reduxPeer(actions + 1)
  for (let n = 0; n < actions; n++) redux.step(n)
  return { took: performance.now() - began }
}

/** The peer jumps between its actions. */
const scrubRedux = (actions: number, count: number): Promise<number[]> =>
  frames(count, frame => redux?.jump((frame * 97) % actions))

/** Starts the app; if `wasOpen`, opens and closes the console first. */
async function startApp(wasOpen: boolean): Promise<void> {
  app = createApp(true)
  const { trace } = app
  for (let n = 0; n < 1000; n++) app.step(n)
  if (!wasOpen || !trace) return
  const subscribe = trace.subscribe
  const watched = { ...Object.getOwnPropertyDescriptors(trace) }
  const counted = Object.defineProperties({} as ReplayableTrace, watched)
  Object.defineProperty(counted, 'subscribe', {
    value: (listener: () => void) => {
      receivedCount += 1
      const end = subscribe(listener)
      return () => ((receivedCount -= 1), end())
    },
  })
  show(counted)
  await frames(30, () => undefined)
  if (receivedCount === 0) throw new Error('the console is not listening')
  close()
  await frames(5, () => undefined)
}

/** Runs the app's own steps. */
function work(steps: number): void {
  for (let n = 0; n < steps; n++) app?.step(n)
}

const bench = {
  prepare,
  open,
  close,
  live,
  look,
  scrub,
  fillRedux,
  scrubRedux,
  startApp,
  work,
  listeners: () => receivedCount,
}
export type ConsoleBench = typeof bench
Object.assign(window, { bench })
