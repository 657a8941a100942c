// The comparison of two recordings: aligned by actor and cause, its first difference, and the reason for it.
import { describe, expect, it } from 'vitest'
import { causesOf, compareRuns } from '../../../../src/ui/console/checks/align.ts'
import { reasonsOf } from '../../../../src/ui/console/checks/compare-reasons.ts'
import { doJob } from '../../../../src/ui/console/checks/do-job.ts'
import { encodeFile } from '../../../../src/trace/write/encode.ts'
import { actorEntries, stepRecords, traceSource } from '../../console-trace.ts'

interface Step {
  readonly actor: number
  readonly type: string
  readonly value?: string
  readonly t?: number
  readonly by?: number
  readonly more?: object
}

const PATHS = [
  ['client', 'client'],
  ['client/session', 'session'],
] as const

function run(steps: readonly Step[], paths: readonly (readonly [string, string])[] = PATHS) {
  const source = traceSource({
    actors: actorEntries(...paths),
    steps: stepRecords(
      steps.map(({ more, ...step }) => ({ ...step, ...(more && { event: { type: step.type, ...more } }) })),
    ),
  })
  return { ...source, tape: [], hashes: [], keyframes: [], bookmarks: [] }
}

type Run = ReturnType<typeof run>

function compared(a: Run, b: Run) {
  const { runs, first } = compareRuns(a, b)
  const causes = {
    a: first?.was ? causesOf(a, first.was.seq) : [],
    b: first?.is ? causesOf(b, first.is.seq) : [],
  }
  return {
    rows: runs.rows.map(({ kind, was, is }) => `${kind} ${was?.seq ?? '-'} ${is?.seq ?? '-'}`),
    reasons: first && reasonsOf(first, causes),
    first,
  }
}

const begin: readonly Step[] = [
  { actor: 0, type: 'xstate.init', value: 'on' },
  { actor: 1, type: 'xstate.init', value: 'booting' },
]

describe('two recordings', () => {
  it('with other times and another order of actors are the same', () => {
    const a = run([
      ...begin,
      { actor: 0, type: 'tick', t: 5 },
      { actor: 1, type: 'found', value: 'in', t: 9 },
    ])
    const b = run([
      ...begin,
      { actor: 1, type: 'found', value: 'in', t: 2 },
      { actor: 0, type: 'tick', t: 80 },
    ])
    const { rows, first } = compared(a, b)
    expect(first).toBeUndefined()
    expect(rows).toEqual(['alike 0 0', 'alike 1 1', 'alike 2 3', 'alike 3 2'])
  })

  it('diverge at the first other state; an earlier value that differs is no divergence', () => {
    const steps = (id: number, value: string): readonly Step[] => [
      ...begin,
      { actor: 0, type: 'started', more: { id } },
      {
        actor: 1,
        type: 'refresh.failed',
        value,
        more: { failure: { status: value === 'ended' ? 400 : 503 } },
      },
    ]
    const { rows, reasons, first } = compared(run(steps(1, 'waiting')), run(steps(2, 'ended')))
    expect(rows).toEqual(['alike 0 0', 'alike 1 1', 'values 2 2', 'first 3 3'])
    expect(first).toMatchObject({ after: 3, isOnlyValues: false })
    expect(reasons).toEqual([
      'client/session received refresh.failed in both, and entered waiting in A, and ended in B.',
      expect.stringMatching(/^Different values: \S*failure\S*status\.$/),
    ])
  })

  it('with the same states report the first other value', () => {
    const steps = (id: number) => [...begin, { actor: 0, type: 'started', more: { id } }]
    const { rows, reasons, first } = compared(run(steps(1)), run(steps(2)))
    expect(rows).toEqual(['alike 0 0', 'alike 1 1', 'first 2 2'])
    expect(first?.isOnlyValues).toBe(true)
    expect(reasons?.[0]).toBe('client received started in both, and entered the same state.')
    expect(reasons?.[1]).toMatch(/^Different values: \S*id\.$/)
  })

  it('name what led to another event', () => {
    const a = run([
      ...begin,
      { actor: 0, type: 'offline' },
      { actor: 1, type: 'gate.changed', by: 2 },
      { actor: 1, type: 'paused', by: 3 },
    ])
    const b = run([
      ...begin,
      { actor: 0, type: 'online' },
      { actor: 1, type: 'gate.changed', by: 2 },
      { actor: 1, type: 'resumed', by: 3 },
    ])
    expect(compared(a, b).reasons).toEqual(['client received offline in A, and online in B.'])
    const [causesOfA, causesOfB] = [causesOf(a, 4), causesOf(b, 4)]
    const [was, is] = [causesOfA.at(-1), causesOfB.at(-1)]
    if (!was || !is) throw new Error('both have the step')
    expect(reasonsOf({ kind: 'first', was, is }, { a: causesOfA, b: causesOfB })).toEqual([
      'client/session received paused in A, and resumed in B.',
      'It was caused by offline at client in A, and by online at client in B.',
    ])
  })

  it('match requests by their purpose, not by their numbers', () => {
    const request = (actor: number, path: string): Step => ({
      actor,
      type: 'xstate.init',
      value: 'sending',
      more: { input: { info: { method: 'GET', path } } },
    })
    const ended = (actor: number, value: string): Step => ({ actor, type: 'send.answered', value })
    const of = (...names: string[]) => [
      ['client', 'client'] as const,
      ...names.map(name => [`client/request.${name}`, 'request'] as const),
    ]
    const a = run([{ actor: 0, type: 'xstate.init' }, request(1, '/vessels'), ended(1, 'answered')], of('1'))
    const b = run(
      [
        { actor: 0, type: 'xstate.init' },
        request(1, '/voyages'),
        request(2, '/vessels'),
        ended(1, 'answered'),
        ended(2, 'failed'),
      ],
      of('1', '2'),
    )
    const { rows, reasons } = compared(a, b)
    expect(rows).toEqual(['alike 0 0', 'first - 1', 'alike 1 2', 'added - 3', 'differs 2 4'])
    expect(reasons).toEqual(['Only in B: client/request.1 received xstate.init.'])
  })
})

it('the job reads both files, and rejects one that is no trace', async () => {
  const file = async (source: Run) => new File([await encodeFile(source)], 'run.trace.gz')
  const place = { report: () => undefined, signal: new AbortController().signal }
  const a = await file(run([...begin, { actor: 1, type: 'found', value: 'in' }]))
  const b = await file(run([...begin, { actor: 1, type: 'found', value: 'out' }]))
  const answer = await doJob('compare', { file: a, other: b }, place)
  expect(answer).toMatchObject({
    name: 'run.trace.gz',
    first: {
      after: 2,
      isOnlyValues: false,
      reasons: ['client/session received found in both, and entered in in A, and out in B.'],
    },
  })
  await expect(doJob('compare', { file: a, other: new File(['no'], 'no.txt') }, place)).rejects.toThrow(
    /^The file can't be used/,
  )
})
