// Playback: a replay that goes forward and back at any speed, until something differs.
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createReplay, type Progress, type ReplayOptions } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { createRollingHash, encodeValue, type ReplayableTrace } from '../../src/trace/index.ts'
import { createRandomRun, randomSystem } from '../harness/random-system.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

async function recorded(seed: number, events = 30): Promise<ReplayableTrace> {
  const { recorder, drive, clock } = createRandomRun(seed, 0.3)
  recorder.start()
  await drive(events)
  await clock.advanceAsync(20)
  return recorder.trace
}

const replayOf = (trace: ReplayableTrace, options: ReplayOptions = {}, change = 0) =>
  createReplay(trace, randomSystem(change), options)

/** The state at every step, as text. */
function states(trace: ReplayableTrace): Map<number, string> {
  const replay = replayOf(trace)
  const seen = new Map([[replay.position, JSON.stringify(encodeValue(replay.state()))]])
  while (replay.position < replay.length) {
    replay.step()
    seen.set(replay.position, JSON.stringify(encodeValue(replay.state())))
  }
  expect(replay.divergence).toBeUndefined()
  return seen
}

test('goes back and forth, with the same state at every position', async () => {
  for (let seed = 0; seed < 8; seed++) {
    const trace = await recorded(seed)
    const known = states(trace)
    const positions = [...known.keys()]
    const replay = replayOf(trace, { keyframeEvery: 7 })
    for (let n = 0; n < 25; n++) {
      const seq = positions[(n * 17 + seed * 5) % positions.length] ?? 0
      replay.stepTo(seq)
      expect(replay.position).toBe(seq)
      expect(JSON.stringify(encodeValue(replay.state()))).toBe(known.get(seq))
    }
    expect(replay.divergence).toBeUndefined()
    expect(replay.problems).toEqual([])
  }
})

test('counts steps, including the anchored stimuli within them', async () => {
  const trace = await recorded(3)
  const between = trace.stimuli.filter(({ anchor }) => !anchor)
  expect(between.length).toBeLessThan(trace.stimuli.length)
  const replay = replayOf(trace)
  replay.step(5)
  expect(replay.position).toBe(between[5]?.seq)
  replay.step(-2)
  expect(replay.position).toBe(between[3]?.seq)
  replay.step(-100)
  expect(replay.position).toBe(between[0]?.seq)
  replay.step(10_000)
  expect(replay.position).toBe(trace.stimuli.length)
  expect(replay.trace.steps).toHaveLength(trace.steps.length)
})

test('jumps ahead from keyframe to keyframe when nothing is compared', async () => {
  const trace = await recorded(5)
  const known = states(trace)
  const replay = replayOf(trace, { compare: false, keyframeEvery: 5 })
  const end = trace.stimuli.length
  replay.stepTo(end)
  replay.stepTo(0)
  replay.stepTo(end)
  expect(JSON.stringify(encodeValue(replay.state()))).toBe(known.get(end))
  expect(replay.trace.steps.length).toBeLessThan(trace.steps.length / 2)
})

describe('playing', () => {
  test('waits as long as the recording did, or a fraction of it', async () => {
    const trace = await recorded(1)
    const last = trace.stimuli.at(-1)?.t ?? 0
    expect(last).toBeGreaterThan(10)
    for (const speed of [0.5, 1, 10]) {
      const clock = createVirtualClock()
      const replay = replayOf(trace, { clock })
      const end = replay.run({ speed })
      await clock.advanceAsync(last / speed - 0.01)
      expect(replay.position).toBeLessThan(trace.stimuli.length)
      await clock.advanceAsync(0.02)
      expect(await end).toBe('end')
      expect(replay.position).toBe(trace.stimuli.length)
    }
  })

  test('can be paused, and continues at another speed', async () => {
    const trace = await recorded(1)
    const clock = createVirtualClock()
    const replay = replayOf(trace, { clock })
    const first = replay.run({ speed: 1 })
    await clock.advanceAsync(5)
    const { position } = replay
    expect(position).toBeGreaterThan(0)
    replay.pause()
    expect(await first).toBe('paused')
    await clock.advanceAsync(1000)
    expect(replay.position).toBe(position)
    const second = replay.run({ speed: 0.5 })
    const third = replay.run({ speed: 'max' })
    await clock.advanceAsync(1)
    expect(await Promise.all([second, third])).toEqual(['paused', 'end'])
    expect(replay.position).toBe(trace.stimuli.length)
  })

  test('waits at most the given limit', async () => {
    const trace = await recorded(1)
    const late = trace.stimuli.map(one => ({ ...one, t: one.t + (one.seq > 3 ? 3_600_000 : 0) }))
    const clock = createVirtualClock()
    const end = replayOf({ ...trace, stimuli: late }, { clock }).run({ speed: 1, longestWait: 500 })
    await clock.advanceAsync(1000)
    expect(await end).toBe('end')
  })

  test('reports its position, and stops on request', async () => {
    const trace = await recorded(2)
    const reported: Progress[] = []
    const control = new AbortController()
    const onProgress = (progress: Progress) => {
      reported.push(progress)
      if (progress.position > 3) control.abort()
    }
    const clock = createVirtualClock()
    const replay = replayOf(trace, { clock, onProgress, signal: control.signal })
    const end = replay.run({ speed: 1 })
    await clock.advanceAsync(1000)
    expect(await end).toBe('aborted')
    expect(replay.position).toBeGreaterThan(3)
    expect(replay.position).toBeLessThan(replay.length)
    expect(reported.at(-1)).toEqual({
      position: replay.position,
      length: trace.stimuli.length,
      t: expect.any(Number) as number,
    })
    expect(await replay.run({ speed: 'max' })).toBe('aborted')
  })

  test.each([0, 0.4, 1001, Number.NaN])('at %d times the speed it does not', async speed => {
    const replay = replayOf(await recorded(1))
    await expect(replay.run({ speed })).rejects.toThrow('from 0.5 to 1000')
  })
})

test('stops where something differs, and can continue', async () => {
  for (let seed = 0; ; seed++) {
    const trace = await recorded(seed)
    const at = trace.steps.findIndex(step => step.event.type === 'late')
    const cause = trace.steps[at]?.cause
    if (cause === undefined) continue
    const replay = replayOf(trace, {}, 7)
    expect(await replay.run({ speed: 'max' })).toBe('diverged')
    expect(replay.position).toBeGreaterThan(cause)
    expect(replay.divergence).toMatchObject({ index: at, cause: { actor: 'fleet' } })
    expect(await replay.run({ speed: 'max' })).toBe('end')
    replay.stepTo(cause)
    const back = replayOf(trace, { keyframeEvery: 3 }, 7)
    back.stepTo(cause)
    back.stepTo(Math.max(0, cause - 1))
    expect(back.divergence).toBeUndefined()
    back.stepTo(trace.stimuli.length)
    expect(back.divergence).toEqual(replay.divergence)
    return
  }
})

test('a file without steps is compared by its hashes', async () => {
  for (let seed = 0; ; seed++) {
    const trace = await recorded(seed, 200)
    const at = trace.steps.findIndex(step => step.event.type === 'late')
    const rolling = createRollingHash()
    const hashes = trace.steps.flatMap(step => rolling.add(step) ?? [])
    const last = hashes.at(-1)?.after ?? 0
    if (at < 0 || at >= last) continue
    const thin: ReplayableTrace = { ...trace, steps: [], hashes }
    expect(await replayOf(thin).run({ speed: 'max' })).toBe('end')
    const replay = replayOf(thin, {}, 7)
    expect(await replay.run({ speed: 'max' })).toBe('diverged')
    expect(replay.divergence?.problem).toMatch(/the steps of .* so far differ from the recording/)
    return
  }
})

test('fails with a message where there is no system for it', async () => {
  const trace = await recorded(1)
  expect(() => createReplay(trace, { other: randomSystem().random })).toThrow(
    'unknown system "random"; known here: other',
  )
})
