import { specify } from '../specify.ts'
import { shared } from '../samples.ts'
import { rowEditsMachine, rowEditMachine } from './row-edits.ts'

export const rowEditSpec = specify(rowEditMachine, {
  about:
    'One change to a row’s cells, or a row written by a form: waits for its turn, is written, retried without a response, refused, or in conflict with another user’s change.',
  ports: {
    writeEdit: {
      about: 'Writes the cells if they still contain the values that were read.',
      sends: {
        ...shared('port.broken'),
        'write.conflicted': [{}],
        'write.failed': [true, false].map(retry => ({ message: 'No answer.', retry }) as const),
        'write.requested': [{ request: 'r7' }],
        'write.saved': [{}],
      },
      healthy: 'write.saved',
      once: true,
      progress: ['write.requested'],
    },
  },
  events: {
    'edit.changed': [
      { columns: ['mmsi'] },
      { columns: ['mmsi'], failure: { message: 'Too long.', retry: false } },
    ],
    'edit.cancel': [{}],
    'edit.granted': [{}],
    'edit.retry': [{}],
  },
  ignored: [
    {
      event: 'edit.granted',
      states: ['sending', 'blocked.*'],
      reason: 'It has had its turn, or can’t be sent in this state.',
    },
    { event: 'edit.retry', states: ['queued', 'sending'], reason: 'It is sent automatically.' },
    { event: 'edit.changed', states: ['sending'], reason: 'An edit that is being sent no longer changes.' },
    { event: 'edit.cancel', states: ['sending'], reason: 'An edit that is being sent can’t be undone.' },
  ],
  inputs: [
    { id: 1, columns: ['name'] },
    { id: 1, columns: ['name'], failure: { message: 'Too long.', retry: false } },
  ],
  situation: ['failure', 'request'],
  settling: [{ type: 'edit.retry' }, { type: 'edit.granted' }],
  rests: snapshot => snapshot.matches('saved') || snapshot.matches('canceled'),
})

export const rowEditsSpec = specify(rowEditsMachine, {
  about: 'The edits of one table by one user: in sequence for each row, and never under another user’s name.',
  children: { rowEdit: { spec: rowEditSpec } },
  events: {
    'edit.ended': [{ id: 1 }],
    'edit.phaseChanged': (['queued', 'sending', 'backingOff', 'refused', 'conflict'] as const).map(
      phase => ({ id: 1, phase }) as const,
    ),
    'edits.add': [
      { id: 1, key: '4', columns: ['name'] },
      { id: 2, key: '4', columns: ['name'], failure: { message: 'No.', retry: false } },
    ],
    'edits.start': [{}],
    'edits.pause': [{}],
    'edits.command': [
      { id: 1, event: { type: 'edit.retry' } },
      { id: 1, event: { type: 'edit.cancel' } },
      { id: 1, event: { type: 'edit.changed', columns: ['mmsi'] } },
    ],
    'edits.retry': [{}],
  },
  ignored: [
    { event: 'edits.start', states: ['active'], reason: 'They are already active.' },
    { event: 'edits.pause', states: ['paused'], reason: 'They are already paused.' },
  ],
  inputs: [{ schema: 'public', table: 'vessels' }],
  situation: ({ rows }) => Object.values(rows).map(({ phase }) => phase),
  rests: () => true,
})
