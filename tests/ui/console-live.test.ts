// The console on a live trace: when it processes and draws records, and what a ring drops.
import { describe, expect, it } from 'vitest'
import { type TraceSource, LiveFeed } from '../../src/trace/index.ts'
import { RemoteRecording } from '../../src/ui/console/attach/remote-recording.ts'
import { linkTab } from '../../src/ui/console/attach/tab-link.ts'
import type { FromApp, FromWindow } from '../../src/ui/console/attach/tab-protocol.ts'
import { move, START, type PlaceAction } from '../../src/ui/console/model/place.ts'
import { FrameScheduler } from '../../src/ui/console/model/frame-scheduler.ts'
import { memoryTrace } from '../../src/ui/console/model/shown-trace.ts'
import { actorEntries, traceSource, stepRecords } from './console-trace.ts'

describe('Pulse', () => {
  const create = (batches: boolean[] = []) => {
    const done: string[] = []
    let next: ((t: number) => void) | undefined
    const scheduler = new FrameScheduler({
      requestFrame: run => {
        next = run
        return () => (next = undefined)
      },
      take: () => (done.push('take'), batches.shift() ?? false),
      draw: () => done.push('draw'),
    })
    /** Runs the next frame; returns what was done, or undefined if no frame was requested. */
    const frame = (t: number) => {
      const run = next
      next = undefined
      run?.(t)
      return run && done.splice(0)
    }
    return { scheduler, frame }
  }

  it('draws immediately after a pause, then rests twice as long as drawing took', () => {
    const { scheduler, frame } = create()
    scheduler.ask()
    expect([frame(100), frame(160), frame(176)]).toEqual([['take', 'draw'], [], undefined])
    scheduler.ask()
    expect([frame(192), frame(279), frame(280)]).toEqual([['take'], [], ['draw']])
  })

  it('rests for a moment even after the shortest drawing, and never for long', () => {
    const { scheduler, frame } = create()
    scheduler.ask()
    expect([frame(0), frame(4)]).toEqual([['take', 'draw'], []])
    scheduler.ask()
    expect([frame(35), frame(36), frame(1036)]).toEqual([['take'], ['draw'], []])
    scheduler.ask()
    expect([frame(1335), frame(1336)]).toEqual([['take'], ['draw']])
  })

  it('processes batches frame by frame, also while resting, and draws the latest ones', () => {
    const { scheduler, frame } = create([true, true, true])
    scheduler.ask()
    expect([frame(0), frame(16), frame(32), frame(48), frame(64), frame(80)]).toEqual([
      ['take', 'draw'],
      ['take'],
      ['take'],
      ['take', 'draw'],
      [],
      undefined,
    ])
  })

  it('does nothing after it is stopped', () => {
    const { scheduler, frame } = create()
    scheduler.ask()
    expect(frame(0)).toEqual(['take', 'draw'])
    scheduler.stop()
    expect(frame(16)).toBeUndefined()
  })
})

const entries = () => actorEntries(['app', 'app'], ['app/a', 'boat'], ['app/b', 'boat'])

/** A ring: `letGo` drops the given number of views, and actors without remaining views. */
function createRing() {
  const all = stepRecords(Array.from({ length: 40 }, (_, n) => ({ actor: n < 10 ? 1 : 2, type: `e${n}` })))
  let [dropped, actors, steps] = [0, entries(), all.slice(0, 20)]
  const source: TraceSource = {
    ...traceSource({ actors: [], steps: [] }),
    get actors() {
      return actors
    },
    get steps() {
      return steps
    },
    get dropped() {
      return dropped
    },
  }
  return {
    source,
    grow: () => steps.push(...all.slice(dropped + steps.length, dropped + steps.length + 5)),
    letGo(count: number) {
      dropped += count
      actors = actorEntries(['app', 'app'], ['app/b', 'boat'])
      steps = steps.slice(count).map((step, seq) => ({ ...step, seq, actor: 1 }))
    },
  }
}

describe('a ring that is followed', () => {
  it('is outdated when it drops its oldest part, as another recording is', () => {
    const ring = createRing()
    const feed = new LiveFeed(ring.source)
    feed.advance(100)
    expect([feed.isOutdated, feed.isCut, feed.isBehind]).toEqual([false, false, false])
    ring.grow()
    expect([feed.isOutdated, feed.isCut, feed.isBehind]).toEqual([false, false, true])
    ring.letGo(12)
    expect([feed.isOutdated, feed.isCut]).toEqual([true, true])
    const begun = { ...ring.source, steps: stepRecords([{ actor: 0, type: 'x' }]), dropped: 0 }
    const before = new LiveFeed({ ...begun, steps: stepRecords([{ actor: 0, type: 'y' }]) })
    before.advance(1)
    Object.assign(before.source, begun)
    expect([before.isOutdated, before.isCut]).toEqual([true, false])
  })

  it('keeps moment, actor, range and marks under their new numbers', () => {
    const ring = createRing()
    const trace = memoryTrace(ring.source)
    trace.feed.advance(100)
    ring.letGo(12)
    const later = memoryTrace(ring.source)
    later.feed.advance(100)
    const cut = trace.feed.cutTo(later.feed)
    const at = (...actions: PlaceAction[]) => [...actions, { type: 'cut', cut } as const].reduce(move, START)
    const here = { type: 'record', seq: 15, actor: 2 } as const
    const marked = { type: 'mark', mark: 'a', seq: 14 } as const
    expect(
      at(here, marked, { type: 'mark', mark: 'b', seq: 3 }, { type: 'range', range: [50, 150] }),
    ).toEqual({
      ...START,
      seq: 3,
      actor: 1,
      range: [50, 150],
      marks: { a: 2 },
    })
    expect([trace.timeline.type(15), later.timeline.type(3), later.timeline.t(3)]).toEqual([
      'e15',
      'e15',
      150,
    ])
    expect(at()).toEqual(START)
    expect(at({ type: 'record', seq: 4, actor: 1 })).toEqual({ ...START, seq: 0 })
    expect([trace.dropped(), later.dropped()]).toEqual([0, 12])
  })

  it('is sent to a separate window, with what it dropped', async () => {
    const ring = createRing()
    const toApp: ((message: FromWindow) => void)[] = []
    const toWindow: ((message: FromApp) => void)[] = []
    const later =
      <T>(list: readonly ((message: T) => void)[]) =>
      (message: T) =>
        queueMicrotask(() => list.forEach(listener => listener(message)))
    const shown = new RemoteRecording()
    const end = shown.connect(
      { send: later(toApp), onMessage: listener => toWindow.push(listener), close: () => undefined },
      () => 0,
    )
    const none = {
      elapsed: () => 0,
      start: () => undefined,
      stop: () => undefined,
      download: async () => new Blob(),
    }
    const link = linkTab({
      recording: { trace: ring.source, isRecording: () => true, ...none },
      wire: { send: later(toWindow), onMessage: listener => toApp.push(listener), close: () => undefined },
      newId: () => `run ${ring.source.dropped}`,
      onDock: () => undefined,
    })
    await expect.poll(() => shown.trace.steps).toEqual(ring.source.steps)
    const before = memoryTrace(shown.trace)
    before.feed.advance(100)
    ring.letGo(12)
    await expect.poll(() => shown.trace.steps).toEqual(ring.source.steps)
    const after = memoryTrace(shown.trace)
    after.feed.advance(100)
    const { steps, actor } = before.feed.cutTo(after.feed)
    expect([steps, actor(2), actor(1)]).toEqual([12, 1, undefined])
    link.close()
    end()
  })

  it("returns no record under another one's number", async () => {
    const ring = createRing()
    const { feed, details } = memoryTrace(ring.source)
    feed.advance(100)
    expect([details.peek(3)?.event, await details.record(3)]).toEqual([{ type: 'e3' }, ring.source.steps[3]])
    ring.letGo(12)
    expect(details.peek(3)).toBeUndefined()
    await expect(details.record(3)).rejects.toThrow(RangeError)
  })
})
