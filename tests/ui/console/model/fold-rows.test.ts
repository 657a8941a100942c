// The rows of the folded log: what is expanded, where a step is, and how keys move.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepFolds } from '../../../../src/trace/index.ts'
import { FoldRows } from '../../../../src/ui/console/log/fold-rows.ts'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { assertProperty } from '../../../harness/volume.ts'
import { actorEntries, stepRecords, traceSource } from '../../console-trace.ts'

const actors = () => actorEntries(['app', 'app'], ['app/door', 'door'], ['app/bell', 'bell'])

/** Two events, each passed on to the door and the bell; the steps of the second come between those of the first. */
const steps = () =>
  stepRecords([
    { actor: 0, type: 'xstate.init' },
    { actor: 1, type: 'xstate.init', by: 0, from: 0 },
    { actor: 2, type: 'xstate.init', by: 0, from: 0 },
    { actor: 0, type: 'ring', cause: 0 },
    { actor: 0, type: 'knock', cause: 1 },
    { actor: 1, type: 'ring', by: 3, from: 0, cause: 0 },
    { actor: 1, type: 'knock', by: 4, from: 0, cause: 1 },
    { actor: 2, type: 'ring', by: 3, from: 0, cause: 0 },
  ])

function foldRows(list = steps()) {
  const trace = memoryTrace(traceSource({ actors: actors(), steps: list }))
  trace.feed.advance(Infinity)
  const folds = new StepFolds(trace.timeline)
  folds.advance(trace.timeline.size, Infinity)
  const rows = new FoldRows(folds)
  const more = (added: Parameters<typeof stepRecords>[0]) => {
    Reflect.apply(Array.prototype.push, trace.source.steps, stepRecords(added, trace.source.steps.length))
    trace.feed.advance(Infinity)
    folds.advance(trace.timeline.size, Infinity)
  }
  return { rows, folds, more }
}
const seqs = (rows: FoldRows) => Array.from({ length: rows.length }, (_, row) => rows.seqAt(row))

describe('FoldRows', () => {
  it('shows each event with the number of its steps', () => {
    const { rows } = foldRows()
    expect(seqs(rows)).toEqual([0, 3, 4])
    expect([0, 1, 2, 3].map(row => rows.at(row))).toEqual([
      { seq: 0, head: 0, steps: 2, isOpen: false },
      { seq: 3, head: 3, steps: 2, isOpen: false },
      { seq: 4, head: 4, steps: 1, isOpen: false },
      undefined,
    ])
  })

  it('expands in the order of the recording, and collapses', () => {
    const { rows } = foldRows()
    rows.set(3, true)
    expect(seqs(rows)).toEqual([0, 3, 4, 5, 7])
    expect(rows.at(3)).toEqual({ seq: 5, head: 3, steps: 0, isOpen: false })
    expect(rows.rowOf(7)).toBe(4)
    rows.set(4, true)
    expect(seqs(rows)).toEqual([0, 3, 4, 5, 6, 7])
    rows.set(3, false)
    expect(seqs(rows)).toEqual([0, 3, 4, 6])
  })

  it('reveals a selected step once, and only the latest', () => {
    const { rows } = foldRows()
    rows.reveal(5)
    expect(seqs(rows)).toEqual([0, 3, 4, 5, 7])
    rows.set(3, false)
    rows.reveal(5)
    expect(seqs(rows)).toEqual([0, 3, 4])
    expect([rows.holderOf(5), rows.rowOf(rows.holderOf(5))]).toEqual([3, 1])
    rows.reveal(1)
    rows.reveal(6)
    expect(seqs(rows)).toEqual([0, 3, 4, 6])
  })

  it('shows steps with marks until the user collapses them', () => {
    const { rows } = foldRows()
    rows.mark([6, 3])
    expect(seqs(rows)).toEqual([0, 3, 4, 6])
    rows.set(4, false)
    rows.mark([6, 3])
    expect(seqs(rows)).toEqual([0, 3, 4])
    rows.mark([6, 3, 1])
    expect(seqs(rows)).toEqual([0, 1, 2, 3, 4])
  })

  it('moves over what is folded', () => {
    const { rows } = foldRows()
    expect([rows.step(0, 1), rows.step(3, 1), rows.step(4, 1), rows.step(3, -1)]).toEqual([3, 4, 4, 0])
    // From a step without a row: to the rows around it.
    expect([rows.step(1, 1), rows.step(1, -1)]).toEqual([3, 0])
    rows.set(0, true)
    expect([rows.step(0, 1), rows.step(2, 1)]).toEqual([1, 3])
  })

  it('grows with the recording, also within an expanded event', () => {
    const { rows, more } = foldRows()
    rows.set(4, true)
    expect(seqs(rows)).toEqual([0, 3, 4, 6])
    more([
      { actor: 2, type: 'knock', by: 4, from: 0, cause: 1 },
      { actor: 0, type: 'ring', cause: 2 },
    ])
    expect(seqs(rows)).toEqual([0, 3, 4, 6, 8, 9])
    expect(rows.rowOf(9)).toBe(5)
  })

  it('shows the plain list when everything is expanded, and each step has its row', () =>
    assertProperty(
      fc.property(fc.array(fc.nat(5), { maxLength: 60 }), fc.array(fc.boolean()), (kinds, choices) => {
        const list = kinds.map((kind, seq) =>
          kind === 0 || seq === 0
            ? { actor: 0, type: 'go', cause: seq }
            : { actor: 1, type: 'xstate.stop', by: Math.max(0, seq - kind), from: 0 },
        )
        const { rows, folds } = foldRows(stepRecords(list))
        for (const head of folds.shown) rows.set(head, true)
        expect(seqs(rows)).toEqual(list.map((_, seq) => seq))
        for (const [at, head] of folds.shown.entries()) rows.set(head, choices[at] ?? false)
        const all = seqs(rows)
        expect(all).toEqual([...new Set(all)].sort((a, b) => a - b))
        for (const seq of all) expect(rows.seqAt(rows.rowOf(seq))).toBe(seq)
        for (const seq of list.keys()) expect(all).toContain(rows.holderOf(seq))
      }),
      { numRuns: 50 },
    ))
})
