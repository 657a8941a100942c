// Damage found while recording: the recording in memory, its file, rings and stores are unusable for the same reason.
import { assign, createMachine, fromObservable } from 'xstate'
import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { Subject } from 'rxjs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { encodeLines } from '../../src/trace/write/encode.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import { openTrace, type ReplayableTrace } from '../../src/trace/index.ts'
import { createRing, record } from '../../src/services/recording/index.ts'
import type { SystemRecording } from '../../src/services/recording/recording-types.ts'
import { drive, verify } from '../../src/services/replay/index.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue())

interface Damaged {
  readonly machine: AnyStateMachine
  readonly recording: ReturnType<typeof record>
  readonly reason: string
}

const counter = () =>
  createMachine({
    id: 'counter',
    context: { n: 0 },
    on: { inc: { actions: assign({ n: ({ context }) => context.n + 1 }) } },
  })

function subjectInAssign(steps: boolean): Damaged {
  const subject = new Subject<number>()
  const machine = createMachine({
    id: 'counter',
    context: { n: 0 },
    invoke: { src: fromObservable(() => subject), id: 'subject' },
    on: { inc: { actions: assign({ n: ({ context }) => (subject.next(context.n), context.n + 1) }) } },
  })
  const recording = record(machine, { steps })
  recording.start()
  recording.actor.send({ type: 'inc' })
  recording.actor.send({ type: 'other' } as never)
  const reason = 'counter/subject emitted from a guard, assign or inspector; this cannot be replayed'
  return { machine, recording: recording as never, reason }
}

function sendingInspector(steps: boolean, isLate = false): Damaged {
  const machine = counter()
  let left = 1
  const inspect = (event: { readonly type: string; readonly actorRef: unknown }) => {
    if (event.type === '@xstate.snapshot' && left-- > 0) (event.actorRef as AnyActorRef).send({ type: 'inc' })
  }
  const recording = record(machine, { steps, ...(!isLate && { inspect }) })
  if (isLate) recording.actor.system.inspect(inspect)
  recording.start()
  recording.actor.send({ type: 'inc' })
  const reason = 'counter was sent inc by an inspector; this cannot be replayed'
  return { machine, recording: recording as never, reason }
}

async function read(lines: Iterable<string>): Promise<ReplayableTrace> {
  const result = await readTrace([...lines].join('\n'))
  if (result.kind !== 'trace') throw new Error(result.message)
  return result.trace
}

const CASES: readonly (readonly [string, (steps: boolean) => Damaged])[] = [
  ['a subject that emits in an assignment', subjectInAssign],
  ['an inspector that sends', steps => sendingInspector(steps)],
  ['an inspector that was added later and sends', steps => sendingInspector(steps, true)],
]

describe.each([true, false])('damage of a recording (steps: %s)', steps => {
  test.each(CASES)('%s makes memory and file unusable for the same reason', async (_name, make) => {
    const { machine, recording, reason } = make(steps)
    const file = await read(recording.lines())
    const again = await read(encodeLines(file))
    const bytes = await recording.file()
    const opened = await openTrace(bytes)
    if (opened.kind !== 'opened') throw new Error(opened.message)
    expect(opened.model.damage).toEqual(file.damage)
    for (const trace of [recording.trace, file, again]) {
      expect(trace.damage.map(({ message }) => message)).toContain(reason)
      const report = verify(trace, { counter: machine })
      expect([report.outcome, 'reason' in report && report.reason]).toEqual(['unusable', reason])
      // The part before the damage is intact.
      expect('divergence' in report).toBe(false)
    }
    expect(file.damage).toEqual(recording.trace.damage)
    expect(() => drive(file, { counter: machine })).not.toThrow()
  })
})

test('a ring drops damage with the segment that contains it, and keeps it until then', async () => {
  const { machine, recording, reason } = sendingInspector(true)
  const ring = createRing(recording as SystemRecording<AnyStateMachine>, { stimuli: 8 })
  const kept = async () => {
    const result = await readTrace(await ring.file())
    if (result.kind !== 'trace') throw new Error(result.message)
    return verify(result.trace, { counter: machine })
  }
  expect(await kept()).toMatchObject({ outcome: 'unusable', reason })
  // A segment is renewed at most once per task.
  const next = async () => {
    recording.actor.send({ type: 'inc' } as never)
    return (await kept()).outcome
  }
  await expect.poll(next, { interval: 1 }).toBe('exact')
})

test('damage after the end of a recording does not affect it', async () => {
  const machine = counter()
  let sends = 0
  const inspect = (event: { readonly type: string; readonly actorRef: unknown }) => {
    if (event.type === '@xstate.snapshot' && sends-- > 0)
      (event.actorRef as AnyActorRef).send({ type: 'inc' })
  }
  const recording = record(machine, { inspect })
  recording.start()
  recording.actor.send({ type: 'inc' })
  recording.stopRecording()
  sends = 1
  recording.actor.send({ type: 'inc' })
  expect(recording.trace.damage).toHaveLength(1)
  expect(verify(await read(recording.lines()), { counter: machine }).outcome).toBe('exact')
})

test('a secret in a damage message does not reach the file', async () => {
  const machine = counter()
  const recording = record(machine)
  recording.start()
  const actor = recording.actor as unknown as { mailbox: { enqueue(event: object): void } }
  recording.registerSecret('hunter2hunter2')
  actor.mailbox.enqueue({ type: 'hunter2hunter2' })
  expect(recording.trace.damage).toHaveLength(1)
  const written = (await read(recording.lines())).damage
  expect(written).toHaveLength(1)
  expect(JSON.stringify([recording.trace.damage, written])).not.toContain('hunter2')
})
