// How far a change was saved, by the edits that are left of it.
import { expect, test } from 'vitest'
import type { Edit, EditState } from '../../../../src/services/workbench/table/edits/edit-store.ts'
import { writeOutcome } from '../../../../src/services/workbench/table/edits/write-outcome.ts'

const failure = { message: 'No.', retry: false }
const edit = (key: string, state: EditState, column = 'note'): Edit => ({
  id: 1,
  key,
  row: {},
  values: { [column]: 'a' },
  state,
  request: undefined,
})
const changes = ['1', '2', '3'].map(key => ({ key, row: {}, before: { note: 'b' }, after: { note: 'a' } }))

test.each<[string, readonly Edit[], object]>([
  ['no edit is left', [], { pending: 0, failed: 0, waiting: 0 }],
  ['one is being sent', [edit('1', { at: 'sending' })], { pending: 1, failed: 0, waiting: 0 }],
  [
    'one is refused, one in conflict, and one waits',
    [
      edit('1', { at: 'refused', failure }),
      edit('2', { at: 'conflict', theirs: undefined }),
      edit('3', { at: 'backingOff', failure }),
    ],
    { pending: 0, failed: 2, waiting: 1 },
  ],
  [
    'edits of other rows and columns',
    [edit('4', { at: 'refused', failure }), edit('1', { at: 'refused', failure }, 'lit')],
    { pending: 0, failed: 0, waiting: 0 },
  ],
  [
    'an older edit of the cell failed, and the new one is queued',
    [edit('1', { at: 'refused', failure }), edit('1', { at: 'queued' })],
    { pending: 1, failed: 0, waiting: 0 },
  ],
])('%s', (_name, edits, expected) => {
  expect(writeOutcome(changes, edits)).toEqual({ rows: 3, ...expected })
})
