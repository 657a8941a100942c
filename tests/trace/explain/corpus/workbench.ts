// The machines of the workbench: edits, imports, deletions and comparisons.
import { fromCallback, type AnyEventObject, type AnyStateMachine } from 'xstate'
import type { Failure } from '../../../../src/machines/failure.ts'
import { rowComparisonMachine } from '../../../../src/machines/workbench/row-comparison.ts'
import { rowDeletionMachine } from '../../../../src/machines/workbench/row-deletion.ts'
import { rowEditMachine, rowEditsMachine } from '../../../../src/machines/workbench/row-edits.ts'
import { rowImportMachine } from '../../../../src/machines/workbench/row-import.ts'
import { record } from '../../../../src/services/recording/index.ts'
import { createVirtualClock, type VirtualClock } from '../../../../src/testing/virtual-clock.ts'
import { unreachable } from '../../../harness/timeline.ts'
import { actor, type Situation } from './situation.ts'

type Script = readonly (readonly [number, AnyEventObject])[]

/** A machine of the workbench with a scripted port, recorded under its own system. */
function recorded(
  id: string,
  machine: (clock: VirtualClock, port: (script: Script) => unknown) => AnyStateMachine,
  input: unknown,
  play: (send: (event: AnyEventObject) => void, advance: (ms: number) => void) => void,
) {
  const clock = createVirtualClock()
  const port = (script: Script) =>
    fromCallback<AnyEventObject>(({ sendBack }) => {
      const timers = script.map(([after, event]) => clock.setTimeout(() => sendBack(event), after))
      return () => timers.forEach(timer => clock.clearTimeout(timer))
    })
  const { actor: root, trace } = record(machine(clock, port), {
    clock,
    input: input as never,
    system: `chartroom/workbench/${id}`,
    redact: { keys: ['message', 'refusal', 'body'] },
  })
  root.start()
  play(
    event => root.send(event as never),
    ms => clock.advance(ms),
  )
  return trace
}

const edits = (script: Script) => (_: VirtualClock, port: (script: Script) => unknown) =>
  rowEditsMachine.provide({
    actors: { rowEdit: rowEditMachine.provide({ actors: { writeEdit: port(script) as never } }) },
  }) as AnyStateMachine

const edit = (
  name: string,
  script: Script,
  more: (send: (event: AnyEventObject) => void, advance: (ms: number) => void) => void,
  question: string,
  expected: Situation['expected'],
): Situation => ({
  name: `an edit ${name}`,
  record: () =>
    recorded('rowEdits', edits(script), { schema: 'public', table: 'log' }, (send, advance) => {
      send({ type: 'edits.start' })
      send({ type: 'edits.add', id: 1, key: '7', columns: ['note'] })
      advance(100)
      more(send, advance)
    }),
  question: actor(question),
  expected,
})

const nothing = () => undefined
const EDIT = 'rowEdits/edit.1'

const editSituations: readonly Situation[] = [
  edit(
    'is refused by the server',
    [[10, { type: 'write.failed', message: 'x', retry: false }]],
    nothing,
    EDIT,
    {
      mentions: ['edit', 'note', 'refused'],
      reason: [EDIT, 'write.failed'],
    },
  ),
  edit(
    'waits since the backend does not answer',
    [[10, { type: 'write.failed', message: 'x', retry: true }]],
    nothing,
    EDIT,
    {
      mentions: ['edit', 'no response'],
      reason: [EDIT, 'write.failed'],
      next: 'again',
    },
  ),
  edit('is in conflict with another user’s', [[10, { type: 'write.conflicted' }]], nothing, EDIT, {
    mentions: ['edit', 'another user'],
    reason: [EDIT, 'write.conflicted'],
  }),
  edit(
    'is on its way',
    [],
    (send, advance) => {
      send({ type: 'edits.command', id: 1, event: { type: 'edit.cancel' } })
      advance(10)
    },
    EDIT,
    {
      mentions: ['edit', 'sent'],
      reason: ['rowEdits', 'edits.add'],
    },
  ),
  edit('is saved', [[10, { type: 'write.saved' }]], nothing, EDIT, {
    mentions: ['edit', 'saved'],
    reason: [EDIT, 'write.saved'],
  }),
  {
    name: 'edits wait for their user to sign in',
    record: () =>
      recorded('rowEdits', edits([]), { schema: 'public', table: 'log' }, (send, advance) => {
        send({ type: 'edits.start' })
        advance(10)
        send({ type: 'edits.pause' })
        send({ type: 'edits.add', id: 1, key: '7', columns: ['note'] })
        advance(10)
      }),
    question: actor('rowEdits'),
    expected: {
      mentions: ['edits', 'paused'],
      reason: ['rowEdits', 'edits.pause'],
      evidence: [{ kind: 'command' }],
    },
  },
]

const deletion = (script: Script) => (_: VirtualClock, port: (script: Script) => unknown) =>
  rowDeletionMachine.provide({ actors: { deleteRows: port(script) as never } }) as AnyStateMachine
const importing = (script: Script) => (_: VirtualClock, port: (script: Script) => unknown) =>
  rowImportMachine.provide({ actors: { sendBatch: port(script) as never } }) as AnyStateMachine
const comparing = (script: Script) => (_: VirtualClock, port: (script: Script) => unknown) =>
  rowComparisonMachine.provide({
    actors: { readPages: port(script) as never, recheckDifferences: port([]) as never },
  }) as AnyStateMachine

const IMPORT = { batches: [[0, 10]], repeatable: false, whole: true, returning: false, seed: 1 }
const failure: Failure = { kind: 'validation', status: 400, code: '23502', message: 'x' }

const jobs: readonly Situation[] = [
  {
    name: 'a deletion was undone',
    record: () =>
      recorded('rowDeletion', deletion([]), { rows: 3, undo: 5_000 }, (send, advance) => {
        advance(100)
        send({ type: 'deletion.cancel' })
      }),
    question: actor('rowDeletion'),
    expected: {
      mentions: ['deletion', 'undone'],
      reason: ['rowDeletion', 'deletion.cancel'],
      evidence: [{ kind: 'command' }],
    },
  },
  {
    name: 'a deletion is refused',
    record: () =>
      recorded(
        'rowDeletion',
        deletion([[10, { type: 'rows.refused', message: 'x' }]]),
        { rows: 3, undo: 5_000 },
        (_, advance) => advance(6_000),
      ),
    question: actor('rowDeletion'),
    expected: { mentions: ['deletion', 'refused'], reason: ['rowDeletion', 'rows.refused'] },
  },
  {
    name: 'a deletion was sent',
    record: () =>
      recorded(
        'rowDeletion',
        deletion([[10, { type: 'rows.deleted' }]]),
        { rows: 3, undo: 5_000 },
        (_, advance) => advance(5_005),
      ),
    question: actor('rowDeletion'),
    expected: {
      mentions: ['deletion', '5 s'],
      reason: ['rowDeletion', 'xstate.after.undo.rowDeletion.undoable'],
      evidence: [{ kind: 'timer', delay: 5_000 }],
    },
  },
  {
    name: 'an import is refused as a whole',
    record: () =>
      recorded(
        'rowImport',
        importing([[10, { type: 'batch.refused', failure, hopeless: false, forbidden: false }]]),
        IMPORT,
        (_, advance) => advance(100),
      ),
    question: actor('rowImport'),
    expected: {
      mentions: ['import', '400', '23502'],
      reason: ['rowImport', 'batch.refused'],
      evidence: [{ kind: 'response', status: 400, code: '23502' }],
    },
  },
  {
    name: 'an import does not know whether its rows were written',
    record: () =>
      recorded(
        'rowImport',
        importing([[10, { type: 'batch.lost', failure: unreachable }]]),
        IMPORT,
        (_, advance) => advance(100),
      ),
    question: actor('rowImport'),
    expected: {
      mentions: ['import', 'may'],
      reason: ['rowImport', 'batch.lost'],
      evidence: [{ kind: 'failure', failure: 'network' }],
    },
  },
  {
    name: 'an import waits before its next attempt',
    record: () =>
      recorded(
        'rowImport',
        importing([
          [10, { type: 'batch.delayed', failure: { kind: 'rateLimit', status: 429, message: 'x' } }],
        ]),
        IMPORT,
        (_, advance) => advance(100),
      ),
    question: actor('rowImport'),
    expected: {
      mentions: ['import', '429'],
      reason: ['rowImport', 'batch.delayed'],
      evidence: [{ kind: 'response', status: 429 }],
      next: 's',
    },
  },
  {
    name: 'a comparison waits since a page failed',
    record: () =>
      recorded(
        'rowComparison',
        comparing([
          [
            10,
            {
              type: 'pages.read',
              pages: [{ account: 0, failure: { kind: 'server', status: 503, message: 'x' } }],
            },
          ],
        ]),
        { accounts: 2, seed: 1 },
        (_, advance) => advance(100),
      ),
    question: actor('rowComparison'),
    expected: {
      mentions: ['comparison', '503'],
      reason: ['rowComparison', 'pages.read'],
      evidence: [{ kind: 'response', status: 503 }],
    },
  },
  {
    name: 'a comparison was canceled',
    record: () =>
      recorded('rowComparison', comparing([]), { accounts: 2, seed: 1 }, (send, advance) => {
        advance(10)
        send({ type: 'comparison.cancel' })
      }),
    question: actor('rowComparison'),
    expected: {
      mentions: ['comparison', 'canceled'],
      reason: ['rowComparison', 'comparison.cancel'],
      evidence: [{ kind: 'command' }],
    },
  },
]

export const workbench: readonly Situation[] = [...editSituations, ...jobs]
